// The slider over the maps. Without it the page shows all of them, one below the other.
"use strict";
(() => {
  const phases = [...document.querySelectorAll("#phases > li")];
  const slider = document.getElementById("slider");
  const range = document.getElementById("phase");
  const which = document.getElementById("which");
  if (!phases.length || !slider) return;
  const show = (number) => {
    const at = Math.min(Math.max(number, 1), phases.length);
    phases.forEach((phase, index) => { phase.hidden = index !== at - 1; });
    range.value = String(at);
    range.setAttribute("aria-valuetext", phases[at - 1].dataset.title);
    which.textContent = phases[at - 1].dataset.title;
    history.replaceState(null, "", `#${at}`);
  };
  range.addEventListener("input", () => show(Number(range.value)));
  document.getElementById("earlier").addEventListener("click", () => show(Number(range.value) - 1));
  document.getElementById("later").addEventListener("click", () => show(Number(range.value) + 1));
  document.getElementById("large").addEventListener("change", (event) => {
    document.getElementById("phases").classList.toggle("large", event.target.checked);
  });
  document.body.classList.add("js");
  slider.hidden = false;
  show(Number(location.hash.slice(1)) || phases.length);
})();
