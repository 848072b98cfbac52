// Choosing a force and leading it over the map. Writes and rewrites one MOVE line as the route grows.
import { el } from './dom.js';
import { get } from './api.js';
import { moveText } from './ordertext.js';

export class Mover {
  constructor({ map, text, api, panel, board, orderOf }) {
    Object.assign(this, { map, text, api, panel, board, orderOf });
    this.move = null;
    this.asking = 0;
    this.waiting = false;
    this.queue = [];
    addEventListener('keydown', (event) => {
      if (!this.move || event.target.closest('textarea, input, select')) return;
      if (event.key === 'Escape') this.forget();
      if (event.key === 'Backspace') { event.preventDefault(); this.back(); }
    });
  }

  // A stack was chosen on the map. True: taken as a choice; false: let the province below have the click.
  stack(index, event) {
    const stack = this.board().stacks[index];
    if (this.move && stack.province !== this.move.path[0] && this.reach?.[stack.province]) return false;
    this.show(stack);
    return true;
  }

  show(stack) {
    const board = this.board();
    if (!stack.mine || board.phase !== 'first') { this.move = null; this.map.light({}); this.map.choose([stack.index]); this.describe(stack); return; }
    const known = this.orderOf(stack.index);
    this.move = {
      stack, pieces: stack.pieces.filter((p) => !p.stays), path: [stack.province], acts: [], rail: false, line: 0,
    };
    if (known) {
      this.move.line = known.line;
      this.move.path = known.path.length ? [...known.path] : this.move.path;
      this.move.rail = known.rail;
      this.move.pieces = stack.pieces.filter((p) => known.pieces.includes(p.code));
      if (!this.move.pieces.length) this.move.pieces = [...stack.pieces];
      this.move.acts = known.acts ?? [];
    }
    this.map.choose([stack.index]);
    this.ask();
  }

  province(code) {
    const move = this.move;
    if (!move) return;
    if (this.waiting) { this.queue.push(code); return; } // quicker than the server: taken up when it has answered
    const way = this.reach?.[code];
    if (!way) { this.note = `${this.board().provinces[code] ?? code} cannot be reached from here.`; this.render(); return; }
    move.path = [...move.path, ...way.path];
    this.write();
    this.ask();
  }

  back() {
    const move = this.move;
    if (move.path.length > 1) {
      const left = move.path.pop();
      move.acts = move.acts.filter((act) => act.province !== left || move.path.includes(left));
      if (move.path.length > 1 || move.acts.length) this.write();
      else if (move.line) { this.text.remove(move.line); move.line = 0; }
      this.ask();
    }
  }

  forget() {
    this.move = null;
    this.reach = null;
    this.note = '';
    this.waiting = false;
    this.queue = [];
    this.asking += 1;
    this.map.light({});
    this.map.choose([]);
    this.panel.replaceChildren();
    this.panel.hidden = true;
  }

  write() {
    const move = this.move;
    const names = move.pieces.map((p) => p.name);
    if (!names.length) return;
    move.line = this.text.put(moveText({ ...move, names }), move.line);
  }

  async ask() {
    const move = this.move;
    const turn = ++this.asking;
    this.note = '';
    this.waiting = true;
    this.map.light({});
    const query = new URLSearchParams({
      pieces: move.pieces.map((p) => p.code).join(','), path: move.path.join('-'), rail: move.rail,
      acts: move.acts.map((act) => `${act.province}${act.sign}${act.code}`).join(','),
    });
    try {
      const answer = await get(`${this.api}/reach?${query}`);
      if (turn !== this.asking || this.move !== move) return;
      this.reach = Object.fromEntries(answer.reach.map((way) => [way.province, way]));
      this.answer = answer;
    } catch (error) {
      this.reach = {};
      this.answer = null;
      this.note = error.message;
    }
    if (turn !== this.asking) return;
    this.waiting = false;
    this.map.light(this.reach);
    this.render();
    if (this.queue.length) this.province(this.queue.shift());
  }

  // --- the panel ------------------------------------------------------------------------------------
  describe(stack) {
    const board = this.board();
    this.panel.hidden = false;
    const parts = [
      el('h3', {}, `${stack.province} ${board.provinces[stack.province]}`),
      el('p', {}, el('strong', {}, stack.owner ? `${stack.owner}: ` : 'Unaligned: '), stack.pieces.map((p) => p.bell).join(', '),
        ` (strength ${stack.strength})`),
      board.phase === 'second' ? this.#attacks(stack) : null,
      el('button', { type: 'button', class: 'small', onclick: () => this.forget() }, 'Close'),
    ];
    this.panel.replaceChildren(...parts.filter(Boolean));
  }

  // In the Second Phase a stack that was chosen can attack, or be attacked by all that stand with it.
  #attacks(stack) {
    const here = this.board().stacks.filter((other) => other.province === stack.province && other.strength > 0);
    const own = here.filter((other) => other.mine);
    const pairs = stack.mine
      ? here.filter((other) => !other.mine).map((target) => ({ target, attackers: [stack] }))
      : own.length ? [{ target: stack, attackers: own }] : [];
    if (!pairs.length) return el('p', { class: 'hint' }, stack.mine ? 'Nobody else stands here.' : 'None of your forces stands here.');
    const order = ({ target, attackers }) =>
      `ATTACK ${target.pieces[0].bell} IN ${target.province} WITH ${attackers.map((a) => a.pieces[0].name).join(', ')}`;
    return el('div', { class: 'buttons' }, ...pairs.map((pair) => el('button', {
      type: 'button', class: 'small', onclick: () => { this.text.put(order(pair)); this.forget(); },
    }, stack.mine ? `Attack ${pair.target.pieces[0].bell}` : `Attack it with ${pair.attackers.map((a) => a.pieces[0].name).join(', ')}`)));
  }

  render() {
    const { move, answer } = this;
    if (!move) return;
    const board = this.board();
    const stack = move.stack;
    const here = move.path.at(-1);
    this.panel.hidden = false;
    const parts = [
      el('h3', {}, `${stack.province} ${board.provinces[stack.province]}`),
      this.#pieces(stack),
      el('p', { class: 'path' }, move.path.join(' – '), answer?.left !== undefined && !answer?.ended ? el('span', { class: 'left' }, ` ${answer.left} left`) : null),
      answer?.ended ? el('p', { class: 'halt', role: 'status' }, answer.ended) : null,
      this.note ? el('p', { class: 'halt', role: 'status' }, this.note) : null,
      answer ? this.#handling(here, answer) : null,
      el('div', { class: 'buttons' },
        el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: move.rail, onchange: (event) => { move.rail = event.target.checked; if (move.line) this.write(); this.ask(); } }), 'By rail'),
        el('button', { type: 'button', class: 'small', disabled: move.path.length < 2, onclick: () => this.back() }, 'One step back'),
        el('button', { type: 'button', class: 'small', onclick: () => this.forget() }, 'Done')),
      el('p', { class: 'hint' }, move.path.length < 2 ? 'Now choose provinces on the map. The dashed red ones will stop the force.' : ''),
    ];
    this.panel.replaceChildren(...parts.filter(Boolean));
  }

  #pieces(stack) {
    const move = this.move;
    const toggle = (piece, on) => {
      move.pieces = stack.pieces.filter((p) => (p.code === piece.code ? on : move.pieces.includes(p)));
      if (move.line && move.pieces.length) this.write();
      this.ask();
    };
    return el('ul', { class: 'pieces' }, ...stack.pieces.map((piece) => el('li', {},
      el('label', { class: 'check' },
        el('input', { type: 'checkbox', checked: move.pieces.includes(piece), onchange: (event) => toggle(piece, event.target.checked) }),
        el('span', { class: `chip ${piece.color}` }, piece.bell)))));
  }

  #handling(here, answer) {
    const move = this.move;
    const offers = [
      ...answer.pickups.map((piece) => ({ ...piece, sign: '+', province: here })),
      ...answer.drops.map((piece) => ({ ...piece, sign: '-', province: here })),
    ];
    if (!offers.length && !move.acts.length) return null;
    const has = (offer) => move.acts.some((a) => a.province === offer.province && a.sign === offer.sign && a.code === offer.code);
    const change = (offer, on) => {
      move.acts = move.acts.filter((a) => !(a.province === offer.province && a.sign === offer.sign && a.code === offer.code));
      if (on) move.acts.push(offer);
      this.write();
      this.ask();
    };
    const kept = move.acts.filter((act) => !offers.some((o) => o.province === act.province && o.sign === act.sign && o.code === act.code));
    return el('fieldset', { class: 'handling' },
      el('legend', {}, `In ${here}`),
      ...[...offers, ...kept].map((offer) => el('label', { class: 'check' },
        el('input', { type: 'checkbox', checked: has(offer), onchange: (event) => change(offer, event.target.checked) }),
        `${offer.sign === '+' ? 'pick up' : 'drop'} ${offer.name}${offer.province === here ? '' : ` in ${offer.province}`}`)));
  }
}
