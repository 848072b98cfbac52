// Keeps what is being typed in a text box with data-draft, in this browser, until it is sent.
for (const box of document.querySelectorAll("textarea[data-draft]")) {
  const key = `kolokol:${box.dataset.draft}`;
  try {
    if (!box.value) box.value = localStorage.getItem(key) ?? "";
    box.addEventListener("input", () => {
      if (box.value) localStorage.setItem(key, box.value);
      else localStorage.removeItem(key);
    });
    box.form?.addEventListener("submit", () => localStorage.removeItem(key));
  } catch {
    // Storage is switched off: nothing is kept.
  }
}
