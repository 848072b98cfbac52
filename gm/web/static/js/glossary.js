// Words of the game explain themselves, under the pointer, the keys and a finger: the first of each on a page.
import { $, el } from './dom.js';
import { TERMS } from './terms.js';

const NOT_IN = 'a, button, summary, label, option, code, pre, textarea, input, svg, h1, h2, h3, th, dt, dl.glossary, .term, time';
const names = Object.keys(TERMS).sort((a, b) => b.length - a.length);
const any = new RegExp(`\\b(${names.join('|')})\\b`);

let open = null; // the word that is being explained

function close() {
  open?.tip.remove();
  open?.button.removeAttribute('aria-describedby');
  open = null;
}

function show(button, word) {
  if (open?.button === button) return;
  close();
  const id = word.toLowerCase().replaceAll(' ', '-');
  const tip = el('span', { class: 'tip' }, el('span', { id: 'tip' }, TERMS[word]), ' ', el('a', { href: `/how-to-play#term-${id}` }, 'Glossary'));
  button.after(tip); // beside the word: there the next Tab goes to, and there it is seen in full screen too
  button.setAttribute('aria-describedby', 'tip');
  open = { button, tip };
  place();
}

function place() {
  if (!open) return;
  const { button, tip } = open;
  const [at, size] = [button.getBoundingClientRect(), tip.getBoundingClientRect()];
  const below = at.bottom + size.height + 8 < innerHeight;
  tip.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  tip.style.top = `${below ? at.bottom - 1 : at.top - size.height + 1}px`;
}

const within = (node) => open && (open.button.contains(node) || open.tip.contains(node));
addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });
addEventListener('scroll', place, { capture: true, passive: true });
for (const event of ['pointerdown', 'focusin', 'pointerover']) {
  // What the keys have opened stays when the pointer wanders.
  addEventListener(event, ({ target }) => { if (!within(target) && (event !== 'pointerover' || document.activeElement !== open?.button)) close(); });
}

// A word of the game as a button that says what it is.
export function term(word) {
  if (!TERMS[word]) return word;
  const button = el('button', { type: 'button', class: 'term plain', onclick: () => show(button, word), onfocus: () => show(button, word), onpointerenter: () => show(button, word) }, word);
  return button;
}

function explain(node, seen) {
  const found = any.exec(node.data);
  if (!found) return;
  const rest = node.splitText(found.index);
  const after = rest.splitText(found[0].length);
  if (!seen.has(found[0])) {
    seen.add(found[0]);
    rest.replaceWith(term(found[0]));
  }
  explain(after, seen);
}

export function explainTerms(root, seen = new Set()) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(NOT_IN)) texts.push(walker.currentNode);
  texts.forEach((node) => explain(node, seen));
}

if ($('main')) explainTerms($('main'));
