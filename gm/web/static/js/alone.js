// The game for one person: Leaders are deployed by clicking, and the map shows how the sheet so far leaves everything.
import { $, cited, el } from './dom.js';
import { get } from './api.js';

const redUnit = (stack) => stack.pieces.find((piece) => piece.kind === 'unit' && piece.color === 'red');

export class Alone {
  constructor({ map, api, box, text, board, mover, orders, fresh }) {
    Object.assign(this, { map, api, box, text, board, mover, orders, fresh });
    this.source = $('#map').dataset.src;
    this.shown = '';
    this.armed = null;
    $('#undo').addEventListener('click', () => this.undo());
  }

  // The sheet without the order that is being led over the map.
  get after() {
    const lines = this.box.value.split('\n');
    const { line = 0, last = line } = this.mover.move ?? {};
    if (line) lines.splice(line - 1, Math.max(last, line) - line + 1);
    return { after: lines.join('\n') };
  }

  // Draw the map anew once an order is complete: the next one begins where this one ended.
  async refresh() {
    const said = this.box.value;
    if (this.mover.move || said === this.shown) return;
    this.shown = said;
    const query = new URLSearchParams({ after: said });
    const [fresh] = await Promise.all([get(`${this.api}/desk?${query}`), this.map.load(`${this.source}&${query}`)]);
    if (said !== this.box.value) { await this.refresh(); return; }
    Object.assign(this.board(), fresh);
    this.list();
  }

  list() {
    const { stacks, reserve, deployable, deployment, dangers } = this.board();
    $('#capitals').replaceChildren(...dangers.map((words) => el('p', { class: 'note warn' }, ...cited(words))));
    $('#forces ul')?.replaceChildren(...stacks.filter((s) => s.mine).map((s) => el('li', {},
      el('button', { type: 'button', 'data-stack': s.index }, el('span', { class: `chip ${s.color ?? 'imperial'}` }, el('strong', {}, s.province), ` ${s.pieces.map((p) => p.bell).join(', ')}`)))));
    const node = $('#deploy');
    if (!node) return;
    node.replaceChildren(el('p', {}, ...cited(deployment)), ...(deployable ? reserve.map((leader) => el('button', {
      type: 'button', class: 'small', 'aria-pressed': String(this.armed === leader.name), onclick: () => this.arm(leader.name),
    }, leader.bell)) : []), el('p', { class: 'hint', role: 'status' }, this.armed ? `Now choose a Red stack for ${this.armed} to lead, or a province.` : ''));
  }

  arm(leader) {
    this.mover.forget();
    this.armed = this.armed === leader ? null : leader;
    this.list();
    if (this.armed && innerWidth < 992) $('#map').scrollIntoView({ block: 'start' });
  }

  // A click on the map, if a Leader waits for it. True: it was taken.
  stack(index) {
    if (!this.armed) return false;
    const stack = this.board().stacks[index];
    const unit = redUnit(stack);
    this.#deploy(unit ? `ON ${unit.name}` : `TO ${stack.province}`);
    return true;
  }

  province(code) {
    if (!this.armed) return false;
    const units = this.board().stacks.filter((stack) => stack.province === code).map(redUnit).filter(Boolean);
    this.#deploy(units.length ? `ON ${units[0].name}` : `TO ${code}`);
    return true;
  }

  #deploy(where) {
    this.text.put(`DEPLOY ${this.armed} ${where}`);
    this.armed = null;
  }

  async undo() {
    await this.fresh();
    const last = this.orders().at(-1);
    if (!last) return;
    this.mover.forget();
    this.text.remove(last.line, last.last);
  }
}
