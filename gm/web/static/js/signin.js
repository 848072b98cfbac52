// The ticket stands behind the '#' of the link, where no server log sees it. Hand it over by POST and forget it.
const form = document.querySelector('form[data-ticket]');
const ticket = decodeURIComponent(location.hash.slice(1));
if (form && ticket) {
  history.replaceState(null, '', location.pathname + location.search);
  form.elements.token.value = ticket;
  form.requestSubmit();
}
