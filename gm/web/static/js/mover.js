// Choosing a force and leading it over the map. Writes and rewrites one MOVE line as the route grows; panel.js shows it.
import { get } from './api.js';
import { moveText } from './ordertext.js';
import { replaced } from './forms.js';
import { Panel } from './panel.js';

// An attack with the attackers of another on the same stack; what stands indented under it stays.
function joined(old, order) {
  const [first, ...rest] = old.split('\n');
  const [head, more] = order.split(' WITH ');
  const names = first.split(' WITH ')[1].split(', ');
  if (!names.includes(more)) names.push(more);
  return [`${head} WITH ${names.join(', ')}`, ...rest].join('\n');
}

export class Mover {
  constructor({ map, text, api, panel, board, fresh, orders, wrote, extra = () => ({}), done = () => {} }) {
    Object.assign(this, { map, text, api, board, fresh, orders, wrote, extra, done });
    this.panel = new Panel(panel, this);
    this.move = null;
    this.asking = 0;
    this.waiting = false;
    this.queue = [];
    addEventListener('keydown', (event) => {
      if (event.target.closest('textarea, input, select')) return;
      if (event.key === 'Escape' && !this.panel.hidden) this.forget();
      if (event.key === 'Backspace' && this.move) { event.preventDefault(); this.back(); }
    });
  }

  // A stack was chosen on the map. True: taken as a choice; false: let the province below have the click. A stack of
  // one's own is always chosen: never does a click on it lengthen the move of another. A stack of somebody else means
  // its province while a move is open: where it cannot go, the panel says why, and the move stays open.
  stack(index) {
    const stack = this.board().stacks[index];
    if (!stack.mine && this.move && stack.province !== this.move.path.at(-1)) {
      this.province(stack.province, stack);
      return true;
    }
    this.show(stack);
    return true;
  }

  // `order`: which of the orders of a stack that marches in parts; `rest`: what has none yet.
  async show(stack, { order = null, rest = false } = {}) {
    const before = this.move && this.move.stack !== stack && this.reach?.[stack.province] ? this.move : null;
    this.map.choose([stack.index]);
    if (!stack.mine || this.board().phase !== 'first') { await this.look(stack); return; }
    await this.fresh();
    const known = this.orders().filter((one) => one.kind === 'Move' && one.stacks.includes(stack.index));
    const ordered = (piece) => known.some((one) => one.pieces.includes(piece.code));
    const chosen = order ?? (rest ? null : known[0]);
    const free = stack.pieces.filter((piece) => !ordered(piece));
    this.move = {
      stack, known, before, free, pieces: chosen ? stack.pieces.filter((p) => chosen.pieces.includes(p.code)) : free,
      path: chosen?.path.length ? [...chosen.path] : [stack.province], acts: [...(chosen?.acts ?? [])], rail: chosen?.rail ?? false,
      line: chosen?.line ?? 0, last: chosen?.last ?? 0,
    };
    this.ask();
  }

  // The move that was open before another stack of one's own was chosen goes on into its province.
  resume(before, code) {
    this.move = before;
    this.map.choose([before.stack.index]);
    this.ask().then(() => this.province(code));
  }

  // What a stack of somebody else, or one's own in another Phase, can do.
  async look(stack) {
    this.forget();
    this.map.choose([stack.index]);
    const turn = ++this.asking;
    this.panel.stack(stack, null);
    const seen = await get(`${this.api}/stacks/${stack.index}?${new URLSearchParams(this.extra())}`).catch(() => null);
    if (turn !== this.asking || !seen) return;
    this.map.shade(seen.reach);
    this.panel.stack(stack, seen);
  }

  // Whoever attacks a stack that is attacked already joins that attack.
  async attack(order) {
    await this.fresh();
    const old = replaced('attack', order, this.orders());
    this.wrote(this.text.put(old ? joined(old.text, order) : order, old?.line, old?.last).line);
    this.forget();
  }

  // `stack`: the stack of somebody else that was clicked there.
  province(code, stack = null) {
    const move = this.move;
    if (!move) { this.panel.province(code); return; }
    if (this.waiting) { this.queue.push([code, stack]); return; } // quicker than the server: taken up when it has answered
    const way = this.reach?.[code];
    if (!way && code === move.path.at(-1)) { this.note = `${move.pieces[0]?.name ?? 'The force'} is in ${code} already: choose where it goes from there.`; this.panel.march(); return; }
    if (!way) { this.refuse(code, stack); return; }
    move.path = [...move.path, ...way.path];
    this.write();
    this.ask();
  }

  // A province that the force cannot reach: why, in the words of the check.
  async refuse(code, stack) {
    const turn = this.asking;
    const name = this.board().provinces[code]?.name ?? code;
    this.beyond = stack;
    this.note = `${code} ${name} cannot be reached from here.`;
    this.panel.march();
    const { why } = await get(`${this.api}/reach?${this.query(this.move)}&to=${code}`).catch(() => ({}));
    if (turn !== this.asking || !why) return;
    this.note = `${this.note} Why not straight there? ${why}`;
    this.panel.march();
  }

  back() {
    const move = this.move;
    if (move.path.length > 1) {
      const left = move.path.pop();
      move.acts = move.acts.filter((act) => act.province !== left || move.path.includes(left));
      if (move.path.length > 1 || move.acts.length) this.write();
      else if (move.line) { this.text.remove(move.line, move.last); move.line = 0; }
      this.ask();
    }
  }

  forget() {
    this.move = null;
    this.reach = null;
    this.note = '';
    this.beyond = null;
    this.waiting = false;
    this.queue = [];
    this.asking += 1;
    this.map.light({});
    this.map.shade([]);
    this.map.choose([]);
    this.panel.close();
    this.done();
  }

  change(changes) {
    Object.assign(this.move, changes);
    if (this.move.line || this.move.path.length > 1 || this.move.acts.length) this.write();
    this.ask();
  }

  write() {
    const move = this.move;
    const names = move.pieces.map((p) => p.name);
    if (names.length) Object.assign(move, this.text.put(moveText({ ...move, names }), move.line, move.last));
  }

  // The force and its way so far, and what the sheet orders besides.
  query(move) {
    const rest = move.line ? this.text.without(move.line, move.last) : this.text.box.value;
    return new URLSearchParams({
      pieces: move.pieces.map((p) => p.code).join(','), path: move.path.join('-'), rail: move.rail,
      acts: move.acts.map((act) => `${act.province}${act.sign}${act.code}`).join(','),
      sheet: rest.length > 6000 ? '' : rest, ...this.extra(),
    });
  }

  async ask() {
    const move = this.move;
    const turn = ++this.asking;
    this.note = '';
    this.beyond = null;
    this.waiting = true;
    this.map.shade([]);
    try {
      this.answer = move.pieces.length ? await get(`${this.api}/reach?${this.query(move)}`) : null;
      if (turn !== this.asking || this.move !== move) return;
      this.reach = Object.fromEntries((this.answer?.reach ?? []).map((way) => [way.province, way]));
    } catch (error) {
      if (turn !== this.asking) return;
      this.reach = {};
      this.answer = null;
      this.note = error.message;
    }
    this.waiting = false;
    this.map.light(this.reach, move.stack.index);
    this.panel.march();
    if (this.queue.length) this.province(...this.queue.shift());
  }
}
