// The text box as a list of orders. The text is the truth; the map and the forms only edit lines of it.

const OPEN = /[,\\]\s*$/;

function brackets(line) {
  return (line.match(/\(/g) ?? []).length - (line.match(/\)/g) ?? []).length;
}

// The last line (from 0) of the order that begins at a line: it goes on behind a comma, a backslash or an open bracket.
export function lastLine(lines, first) {
  let depth = 0;
  for (let n = first; n < lines.length; n += 1) {
    const code = lines[n].split('#')[0];
    depth += brackets(code);
    if (depth <= 0 && !OPEN.test(code)) return n;
  }
  return Math.max(first, lines.length - 1);
}

export class OrderText {
  constructor(box) { this.box = box; }

  get lines() { return this.box.value.split('\n'); }

  line(number) { return this.lines[number - 1] ?? ''; }

  // Replace the order at a line (from 1), or add one at the end; gives the line it now has.
  put(order, at = 0) {
    const lines = this.lines;
    if (at > 0 && at <= lines.length) {
      lines.splice(at - 1, lastLine(lines, at - 1) - at + 2, ...order.split('\n'));
      this.#write(lines);
      return at;
    }
    while (lines.length && lines.at(-1).trim() === '') lines.pop();
    const line = lines.length + 1;
    lines.push(...order.split('\n'));
    this.#write(lines);
    return line;
  }

  remove(at) {
    const lines = this.lines;
    lines.splice(at - 1, lastLine(lines, at - 1) - at + 2);
    this.#write(lines);
  }

  select(at) {
    const lines = this.lines;
    const start = lines.slice(0, at - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const end = start + lines.slice(at - 1, lastLine(lines, at - 1) + 1).join('\n').length;
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
