// The text box as a list of orders. The text is the truth; the map and the forms only edit lines of it. The server tells
// from which line to which an order goes.

export class OrderText {
  constructor(box) { this.box = box; }

  get lines() { return this.box.value.split('\n'); }

  // Replace the order in lines `at` to `last` (from 1), or add one at the end; gives the lines it has now.
  put(order, at = 0, last = at) {
    const lines = this.lines;
    const fresh = order.split('\n');
    if (at > 0 && at <= lines.length) {
      lines.splice(at - 1, last - at + 1, ...fresh);
      this.#write(lines);
      return { line: at, last: at + fresh.length - 1 };
    }
    while (lines.length && lines.at(-1).trim() === '') lines.pop();
    const line = lines.length + 1;
    lines.push(...fresh);
    this.#write(lines);
    return { line, last: line + fresh.length - 1 };
  }

  remove(at, last) { this.#write(this.without(at, last).split('\n')); }

  without(at, last) { return this.lines.filter((_, n) => n < at - 1 || n >= last).join('\n'); }

  select(at, last) {
    const lines = this.lines;
    const start = lines.slice(0, at - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const end = start + lines.slice(at - 1, last).join('\n').length;
    this.box.focus();
    this.box.setSelectionRange(start, end);
  }

  // The line (from 1) that the cursor is in.
  get current() { return this.box.value.slice(0, this.box.selectionStart).split('\n').length; }

  #write(lines) {
    this.box.value = lines.join('\n');
    this.box.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

// MOVE Lenin, RU8 PETR: PETR-PSKO(+RU4 PSKO)-LIVO BY RAIL
export function moveText(move) {
  const stops = move.path.map((code) => {
    const acts = move.acts.filter((act) => act.province === code).map((act) => `${act.sign}${act.name}`);
    return acts.length ? `${code}(${acts.join(', ')})` : code;
  });
  return `MOVE ${move.names.join(', ')}: ${stops.join('-')}${move.rail ? ' BY RAIL' : ''}`;
}
