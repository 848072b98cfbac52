// Small helpers to build elements: no HTML is ever made from strings, so nothing a player wrote can become markup.
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'class') node.className = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function svg(name, attributes = {}) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

export function debounce(wait, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), wait);
  };
}

export const calm = matchMedia('(prefers-reduced-motion: reduce)');

// Rule numbers, each leading to what it decides.
export function ruleLinks(rules) {
  return rules.flatMap((rule, n) => [
    n ? ', ' : null,
    el('a', { href: 'JSH'.includes(rule[0]) ? `/rulings#${rule}` : `/rules#${rule}` }, rule),
  ]);
}

// A sentence in which no odds (11:3 = 3-1) are broken at the end of a line.
export function whole(words) {
  return words.split(/(\b(?:\d+:\d+ = )?\d+-\d+\b)/).map((part, n) => (n % 2 ? el('span', { class: 'whole' }, part) : part));
}

// The same, and every rule that it cites in brackets is a link.
export function cited(words) {
  return words.split(/((?:17\/)?\b\d{1,2}\.\d{1,2}\b|\b[JSH]\d{1,2}\b)(?=[^()]*\))/).flatMap((part, n) => (n % 2 ? ruleLinks([part]) : whole(part)));
}

// On a telephone the answer to a tap may be below the screen.
export function bringIntoView(node) {
  node.scrollIntoView({ block: 'nearest', behavior: calm.matches ? 'auto' : 'smooth' });
}
