// What stands beside the map about a chosen force, stack or province, with the buttons that belong to it.
import { bringIntoView, cited, el, whole } from './dom.js';
import { oddsLine } from './checks.js';

const button = (words, onclick, disabled = false) => el('button', { type: 'button', class: 'small', disabled, onclick }, words);
const list = (words, items) => (items.length ? el('ul', { class: words }, ...items) : null);

export class Panel {
  constructor(node, mover) {
    this.node = node;
    this.mover = mover;
  }

  get hidden() { return this.node.hidden; }

  close() {
    this.node.replaceChildren();
    this.node.hidden = true;
  }

  #show(...parts) {
    const fresh = this.node.hidden;
    this.node.replaceChildren(...parts.filter(Boolean));
    this.node.hidden = false;
    if (matchMedia('(min-width: 62rem)').matches) this.node.parentElement.scrollTo({ top: 0 });
    else if (fresh) bringIntoView(this.node);
  }

  // `stack`: of which of those in the province the panel speaks.
  #heading(code, stack = null) {
    const who = stack ? `: ${stack.pieces[0].name}` : '';
    return el('h3', {}, `${code} ${this.mover.board().provinces[code]?.name ?? ''}${who}`);
  }

  // The other stacks of the province; while a force is led only one's own, because the others mean the way.
  #beside(stack, mine) {
    const { mover } = this;
    const here = mover.board().stacks.filter((one) => one.province === stack.province && one.index !== stack.index && (one.mine || !mine));
    if (!here.length) return null;
    const words = (one) => `${one.mine ? '' : `${one.owner ?? 'Unaligned'}: `}${one.pieces.map((p) => p.bell).join(', ')}`;
    return el('div', { class: 'buttons beside', role: 'group', 'aria-label': `Also in ${stack.province}` },
      el('span', {}, `Also in ${stack.province}:`), ...here.map((one) => button(words(one), () => mover.show(one))));
  }

  // --- a province that nobody was led into ----------------------------------------------------------
  province(code) {
    const { mover } = this;
    const board = mover.board();
    const found = board.provinces[code];
    if (!found) return;
    const border = (near) => `${near} ${board.provinces[near]?.name ?? ''}${found.borders[near] === 'open' ? '' : ` (${found.borders[near]})`}`;
    const here = board.stacks.filter((stack) => stack.province === code);
    this.#show(
      this.#heading(code),
      el('p', {}, `${found.region}${found.port ? ' · a port' : ''}${here.length ? '' : ' · nobody stands here'}`),
      list('pieces', here.map((stack) => el('li', {}, button(`${stack.owner ?? 'Unaligned'}: ${stack.pieces.map((p) => p.bell).join(', ')}`, () => mover.show(stack))))),
      el('p', {}, el('strong', {}, 'Borders: '), Object.keys(found.borders).map(border).join(', ')),
      el('p', {}, el('strong', {}, 'Railway: '), found.rail.length ? `to ${found.rail.join(', ')}` : 'none'),
      button('Close', () => mover.forget()));
  }

  // --- a stack that is not being led ------------------------------------------------------------------
  stack(stack, seen) {
    const { mover } = this;
    const parts = [this.#heading(stack.province, stack),
      el('p', {}, el('strong', {}, stack.owner ? `${stack.owner}: ` : 'Unaligned: '), stack.pieces.map((p) => p.bell).join(', '), ` (strength ${stack.strength})`)];
    const busy = (seen?.attacks ?? []).length ? mover.orders().filter((order) => ['Attack', 'Subvert'].includes(order.kind) && order.stacks.includes(stack.index)) : [];
    for (const order of busy) {
      parts.push(el('p', { class: 'note busy' }, `It attacks already: ${order.text}. A stack attacks once in a Phase: for another attack take that order out.`));
    }
    for (const attack of seen?.attacks ?? []) {
      parts.push(el('div', { class: 'attack' },
        el('button', { type: 'button', class: 'small', onclick: () => mover.attack(attack.order) }, attack.words),
        oddsLine(attack.battle)));
    }
    parts.push(...(seen?.words ?? []).map((words) => el('p', { class: 'hint' }, ...whole(words))));
    parts.push(list('threats', (seen?.threats ?? []).map((threat) => el('li', {}, ...whole(threat)))));
    parts.push(this.#beside(stack, false), button('Close', () => mover.forget()));
    this.#show(...parts);
  }

  // --- a force that is being led ------------------------------------------------------------------------
  march() {
    const { mover } = this;
    const { move, answer, beyond } = mover;
    if (!move) return;
    const here = move.path.at(-1);
    this.#show(
      this.#heading(move.stack.province, move.stack),
      this.#beside(move.stack, true),
      this.#before(move),
      this.#parts(move),
      this.#pieces(move),
      el('p', { class: 'path' }, move.path.join(' – '), this.#left(answer)),
      this.peeked = el('p', { class: 'peek', 'aria-hidden': 'true' }),
      el('div', { class: 'buttons' },
        el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: move.rail, onchange: (event) => mover.change({ rail: event.target.checked }) }), 'By rail'),
        button('One step back', () => mover.back(), move.path.length < 2),
        button('Done', () => mover.forget())),
      answer?.ended ? el('p', { class: 'note ended', role: 'status' }, ...cited(answer.ended)) : null,
      mover.note ? el('p', { class: 'note warn', role: 'status' }, ...cited(mover.note)) : null,
      beyond ? button(`Look at this stack: ${beyond.pieces[0].bell}`, () => mover.look(beyond)) : null,
      move.path.length > 1 ? list('stop-here', (answer?.fights ?? []).map((fight) => el('li', {}, ...cited(fight)))) : null,
      move.path.length > 1 ? list('threats', (answer?.threats ?? []).map((threat) => el('li', {}, ...whole(threat)))) : null,
      answer ? this.#handling(move, here, answer) : null,
      move.path.length < 2 ? el('p', { class: 'hint' }, 'Now choose provinces on the map. The dashed red ones will stop the force.') : null);
  }

  // What the province under the pointer means for the force that is being led.
  peek(code) {
    if (this.mover.move && this.peeked) this.peeked.textContent = this.mover.reach?.[code]?.label ?? '';
  }

  #left(answer) {
    if (!answer || answer.ended) return null;
    return el('span', { class: 'left' }, answer.left === null ? ' by rail: as far as the line goes' : ` ${answer.left} Movement ${answer.left === 1 ? 'Point' : 'Points'} left`);
  }

  // Another own stack was chosen while a move was open: its move can still go on, but only when he says so.
  #before({ before, stack }) {
    if (!before) return null;
    return el('p', {}, button(`Instead lead ${before.pieces[0].name} on to ${stack.province}`, () => this.mover.resume(before, stack.province)));
  }

  // A stack that marches in parts: which of its orders, or what has none yet.
  #parts(move) {
    const { mover } = this;
    if (!move.known.length) return null;
    const names = (codes) => move.stack.pieces.filter((p) => codes.includes(p.code)).map((p) => p.name).join(', ');
    const choice = (words, line, action) => el('button', { type: 'button', class: 'small', 'aria-pressed': String(move.line === line), onclick: action }, words);
    const parts = move.known.map((order) => choice(`${names(order.pieces)}: ${order.path.at(-1)}`, order.line, () => mover.show(move.stack, { order })));
    const free = move.free.filter((piece) => move.line !== 0 || !move.pieces.includes(piece) || move.path.length === 1);
    if (free.length) parts.push(choice(`Order the rest: ${free.map((p) => p.name).join(', ')}`, 0, () => mover.show(move.stack, { rest: true })));
    return parts.length > 1 ? el('div', { class: 'buttons', role: 'group', 'aria-label': 'Orders of this stack' }, ...parts) : null;
  }

  #pieces(move) {
    const others = (piece) => move.known.some((order) => order.line !== move.line && order.pieces.includes(piece.code));
    const toggle = (piece, on) => this.mover.change({
      pieces: move.stack.pieces.filter((p) => (p.code === piece.code ? on : move.pieces.includes(p))),
    });
    return el('ul', { class: 'pieces' }, ...move.stack.pieces.map((piece) => el('li', {},
      el('label', { class: 'check' },
        el('input', { type: 'checkbox', checked: move.pieces.includes(piece), disabled: others(piece), onchange: (event) => toggle(piece, event.target.checked) }),
        el('span', { class: `chip ${piece.color}` }, piece.bell, others(piece) ? ' (has an order)' : '')))));
  }

  #handling(move, here, answer) {
    const same = (a, b) => a.province === b.province && a.sign === b.sign && a.code === b.code;
    const offers = [
      ...answer.pickups.map((piece) => ({ ...piece, sign: '+', province: here })),
      ...answer.drops.map((piece) => ({ ...piece, sign: '-', province: here })),
    ];
    const kept = move.acts.filter((act) => !offers.some((offer) => same(offer, act)));
    if (!offers.length && !kept.length) return null;
    const change = (offer, on) => this.mover.change({ acts: [...move.acts.filter((act) => !same(act, offer)), ...(on ? [offer] : [])] });
    return el('fieldset', { class: 'handling' },
      el('legend', {}, `In ${here}`),
      ...[...offers, ...kept].map((offer) => el('label', { class: 'check' },
        el('input', { type: 'checkbox', checked: move.acts.some((act) => same(act, offer)), onchange: (event) => change(offer, event.target.checked) }),
        `${offer.sign === '+' ? 'pick up' : 'drop'} ${offer.name}${offer.province === here ? '' : ` in ${offer.province}`}`)));
  }
}
