// Composing a Purge together: how many Politburo Markers all assign, and whether they are enough.
import { $, $$ } from './dom.js';

for (const words of $$('.sum[data-needed]')) {
  const form = words.closest('form');
  const needed = Number(words.dataset.needed);
  const tell = () => {
    const victim = form.elements.object.value;
    // The victim takes no part: what stands in that row is not asked for, nor sent as an answer of theirs.
    for (const row of $$('[data-partner]', form)) {
      const out = row.dataset.partner === victim;
      row.hidden = out;
      if (out) { $('[name=asks]', row).value = ''; }
    }
    const lines = $$('[name=partner]', form).map((partner, n) => [partner.value, $$('[name=asks]', form)[n].value]);
    const asked = lines.filter(([partner]) => partner !== victim).reduce((sum, [, asks]) => sum + Number(asks), 0);
    const together = Number(form.elements.using.value) + asked;
    words.textContent = `Together ${together} of the ${needed} Politburo Markers that it takes${together < needed ? `: ${needed - together} more are needed` : ''}.`;
    words.classList.toggle('warn', together < needed);
  };
  form.addEventListener('input', tell);
  tell();
}
