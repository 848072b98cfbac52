// Small forms that write order text. Each form names its template in data-writes; what it writes can still be edited.
import { $, $$, el } from './dom.js';

const chosen = (form, name) => $$(`[name="${name}"]:checked, select[name="${name}"] option:checked`, form).map((n) => n.value).filter(Boolean);
const value = (form, name) => (form.elements[name]?.value ?? '').trim();

const WRITERS = {
  attack: (f) => `ATTACK ${value(f, 'target')} WITH ${chosen(f, 'with').join(', ')}`,
  subvert: (f) => `SUBVERT ${value(f, 'target')} WITH ${chosen(f, 'with').join(', ')}`,
  assassinate: (f) => `ASSASSINATE ${value(f, 'target')} WITH ${value(f, 'markers') || 'ALL'}`,
  purge: (f) => {
    const partners = chosen(f, 'partners');
    const parts = [`PURGE ${value(f, 'object')}`];
    if (partners.length) parts.push(`WITH ${partners.join(', ')}`);
    parts.push(`USING ${value(f, 'using') || 0} PM`);
    if (partners.length && value(f, 'divide')) parts.push(`DIVIDE ${value(f, 'divide')}`);
    if (f.elements.separately?.checked) parts.push('SEPARATELY');
    if (value(f, 'taking')) parts.push(`TAKING ${value(f, 'taking')}`);
    return parts.join(' ');
  },
  counterpurge: (f) => [
    f.elements.standing?.checked ? 'STANDING' : '', 'COUNTERPURGE', value(f, 'against'),
    value(f, 'by') ? `IF PURGED BY ${value(f, 'by')}` : '', value(f, 'taking') ? `TAKING ${value(f, 'taking')}` : '',
  ].filter(Boolean).join(' '),
  give: (f) => [
    `GIVE ${value(f, 'what')} TO ${value(f, 'to')}`, value(f, 'for') ? `FOR ${value(f, 'for')}` : '',
  ].filter(Boolean).join(' '),
  accept: (f) => `ACCEPT ${value(f, 'what')} FROM ${value(f, 'from')}`,
  stack: (f) => `STACK ${value(f, 'province')}: ${chosen(f, 'pieces').join(', ')}`,
  lose: (f) => `${value(f, 'verb')} ${value(f, 'pieces')}`,
  execute: (f) => {
    if (value(f, 'verb') !== 'EXECUTE') return value(f, 'verb');
    const partners = chosen(f, 'partners');
    return `EXECUTE CZAR${partners.length ? ` WITH ${partners.join(', ')}` : ''} USING ${value(f, 'using') || 0} PM`;
  },
  leave: (f) => value(f, 'what'),
  vote: (f) => `VOTE ${value(f, 'vote')}`,
  press: (f) => {
    const as = value(f, 'as');
    const body = value(f, 'body').replace(/\n{2,}/g, '\n');
    return `PRESS${as ? ` AS "${as.replaceAll('"', "'")}"` : ''} ${body}\nEND`;
  },
};

function provinceChoices(form, board) {
  // Restacking: the pieces of a province that are the player's own, in an order he can change.
  const select = form.elements.province;
  const list = $('.stack-pieces', form);
  const fill = () => {
    const pieces = board.stacks.filter((s) => s.mine && s.province === select.value).flatMap((s) => s.pieces);
    list.replaceChildren(...pieces.map((piece) => {
      const item = el('li', {},
        el('label', { class: 'check' }, el('input', { type: 'checkbox', name: 'pieces', value: piece.name, checked: true }), piece.bell));
      item.append(el('button', {
        type: 'button', class: 'small', 'aria-label': `Move ${piece.bell} up`,
        onclick: () => item.previousElementSibling?.before(item),
      }, '↑'));
      return item;
    }));
  };
  select.addEventListener('change', fill);
  fill();
}

function attackers(form, board) {
  // Only stacks that can take part: those in the province of the target.
  const target = form.elements.target;
  const fill = () => {
    const province = target.selectedOptions[0]?.dataset.province;
    for (const label of $$('[data-from]', form)) {
      const near = label.dataset.from === province || (form.dataset.writes === 'subvert' && board.borders[province]?.includes(label.dataset.from));
      label.hidden = !near;
      if (!near) $('input', label).checked = false;
    }
  };
  target.addEventListener('change', fill);
  fill();
}

export function setUpForms({ root, text, board }) {
  for (const form of $$('form[data-writes]', root)) {
    if (form.dataset.writes === 'stack') provinceChoices(form, board);
    if (['attack', 'subvert'].includes(form.dataset.writes)) attackers(form, board);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const line = text.put(WRITERS[form.dataset.writes](form));
      text.select(line);
    });
  }
}
