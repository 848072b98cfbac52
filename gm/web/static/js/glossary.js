// Words of the game explain themselves: the first of each on a page leads to the glossary and says in its title what it is.
import { $, el } from './dom.js';
import { TERMS } from './terms.js';

const NOT_IN = 'a, button, summary, label, option, code, pre, textarea, input, svg, h1, h2, h3, th, dt, dl.glossary, .term, time';
const names = Object.keys(TERMS).sort((a, b) => b.length - a.length);
const any = new RegExp(`\\b(${names.join('|')})\\b`);

// A word of the game as a link that says in its title what it is.
export function term(word) {
  const id = word.toLowerCase().replaceAll(' ', '-');
  return TERMS[word] ? el('a', { class: 'term', href: `/how-to-play#term-${id}`, title: TERMS[word] }, word) : word;
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
