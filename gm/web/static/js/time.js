// Deadlines count down; a page without this script shows the time itself, which is what counts.
import { $$ } from './dom.js';

function words(seconds) {
  if (seconds <= 0) return 'now';
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor((seconds % 86400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days >= 2) return `in ${days} days ${hours} h`;
  if (days || hours) return `in ${days * 24 + hours} h ${String(minutes).padStart(2, '0')} min`;
  return minutes ? `in ${minutes} min` : 'in less than a minute';
}

function tick() {
  for (const node of $$('[data-countdown]')) {
    const left = (Date.parse(node.dataset.countdown) - Date.now()) / 1000;
    node.textContent = left > 0 ? words(left) : 'passed';
    node.classList.toggle('soon', left < 6 * 3600);
  }
}

tick();
setInterval(tick, 15000);

// A page on which something is about to change looks again by itself.
for (const node of $$('[data-reload]')) setTimeout(() => location.reload(), 1000 * Number(node.dataset.reload));

// A page that asks for the visitor's time zone gets it from his browser.
for (const input of $$('input[data-zone-here]')) {
  if (!input.value) input.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
}
// Where a question must be answered before a form goes off.
for (const form of $$('form[data-sure]')) {
  form.addEventListener('submit', (event) => { if (!confirm(form.dataset.sure)) event.preventDefault(); });
}
for (const select of $$('select[data-go]')) select.addEventListener('change', () => select.form.requestSubmit());
