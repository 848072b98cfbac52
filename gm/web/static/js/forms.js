// Small forms that write order text. Each form names its template in data-writes; what it writes can still be edited, and
// takes the place of an order about the same.
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
    const shares = $$('[data-share]', f).filter((n) => Number(n.value) > 0 && (n.dataset.share === f.dataset.me || partners.includes(n.dataset.share)));
    if (partners.length && shares.length) parts.push(`DIVIDE ${shares.map((n) => `${n.dataset.share} ${n.value}`).join(', ')}`);
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

function attackers(form) {
  // Only stacks that may take part against the target.
  const { target } = form.elements;
  if (!target) return; // nobody to attack
  const fill = () => {
    const able = (target.selectedOptions[0]?.dataset.by ?? '').split('|');
    for (const box of $$('[name="with"]', form)) {
      const fits = able.includes(box.value);
      box.closest('label').hidden = !fits;
      box.checked = fits;
    }
  };
  target.addEventListener('change', fill);
  fill();
}

// How far an order must say the same to be replaced by a new one: an attack on the same stack, any Purge, any vote.
const HEADS = {
  attack: / WITH /, subvert: / WITH /, assassinate: / WITH /, stack: /:/, give: / FOR |$/, lose: / (?=[^ ]*$)|(?<=LOSE|TAKE) /,
  purge: /^PURGE/, counterpurge: / (STRONGEST|WEAKEST|NEVER|[A-Z])( |$)/, execute: / /, vote: / /, press: /\n/, accept: /$/, leave: /$/,
};
const KINDS = { purge: ['Purge'], vote: ['Vote'], execute: ['Execute', 'Comply', 'RefuseExecution'], counterpurge: ['Counterpurge'], press: ['Press'] };

export function replaced(name, line, orders) {
  const head = (words) => words.split(HEADS[name])[0];
  return orders.find((order) => order.line && (KINDS[name]
    ? KINDS[name].includes(order.kind)
    : order.text.split('\n')[0] !== '' && head(order.text) === head(line)));
}

// A choice that is added to the list beside it.
function choices(form) {
  for (const select of $$('select[data-adds]', form)) {
    select.addEventListener('change', () => {
      const field = form.elements[select.dataset.adds];
      field.value = [...field.value.split(',').map((part) => part.trim()).filter(Boolean), select.value].join(', ');
      select.value = '';
    });
  }
  // What is offered may depend on another field: on whose it is, or on what is done with it.
  for (const select of $$('select[data-of]', form)) {
    const other = form.elements[select.dataset.of];
    const fill = () => [...select.options].forEach((option) => { option.hidden = !other.value.endsWith(option.dataset.owner ?? ''); });
    other.addEventListener('change', fill);
    fill();
  }
}

// The victim of a Purge is no partner in it.
function committee(form) {
  const object = form.elements.object;
  const boxes = $$('[name="partners"]', form);
  if (!object || !boxes.length) return;
  const fill = () => {
    for (const box of boxes) {
      box.closest('label').hidden = box.value === object.value;
      if (box.value === object.value) box.checked = false;
    }
  };
  object.addEventListener('change', fill);
  fill();
}

export function setUpForms({ root, text, board, fresh, orders, wrote }) {
  for (const form of $$('form[data-writes]', root)) {
    if (form.dataset.writes === 'stack') provinceChoices(form, board);
    if (['attack', 'subvert'].includes(form.dataset.writes)) attackers(form);
    choices(form);
    committee(form);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const name = form.dataset.writes;
      const order = WRITERS[name](form);
      if (!order) return;
      await fresh();
      const old = replaced(name, order, orders());
      const { line, last } = text.put(order, old?.line, old?.last);
      wrote(line);
      if (!matchMedia('(max-width: 61.99rem)').matches) text.select(line, last);
    });
  }
}
