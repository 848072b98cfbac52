// What the server says about the orders as they stand: a list beside the text, one entry an order.
import { el } from './dom.js';

const SIGNS = { ok: '✓', note: 'i', warning: '!', problem: '✗' };
const WORDS = { ok: 'fine', note: 'note', warning: 'warning', problem: 'problem' };

function problemItem(problem, onLine, onSuggestion) {
  const item = el('li', { class: `problem ${problem.severity}` },
    el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[problem.severity]),
    el('span', { class: 'visually-hidden' }, `${WORDS[problem.severity]}: `),
    el('span', {}, problem.message),
    problem.rules.length ? el('span', { class: 'rules' }, ` (${problem.rules.join(', ')})`) : null);
  if (problem.context) item.append(el('pre', { class: 'caret' }, problem.context));
  if (problem.suggestion) {
    item.append(el('button', { type: 'button', class: 'small', onclick: () => onSuggestion(problem) }, `Use: ${problem.suggestion}`));
  }
  return item;
}

function oddsTable(battle) {
  const results = Object.entries(battle.results).map(([die, result]) => `${die} ${result}`).join(' · ');
  return el('p', { class: 'odds' },
    el('strong', {}, battle.odds ? `Odds ${battle.odds}` : 'No attack'),
    ` (${battle.attack} against ${battle.defence})`,
    battle.odds ? el('span', { class: 'chances' }, ` ${battle.summary}`) : ` ${battle.summary}`,
    battle.odds ? el('span', { class: 'faces' }, results) : null);
}

export function showChecks(list, answer, actions) {
  list.replaceChildren();
  for (const order of answer.orders) {
    const problems = answer.problems.filter((p) => p.order === order.number);
    list.append(el('li', { class: `order ${order.status}`, 'data-line': order.line },
      el('div', { class: 'order-head' },
        el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[order.status]),
        el('button', { type: 'button', class: 'plain', onclick: () => actions.select(order.line) }, order.text || order.source),
        el('button', {
          type: 'button', class: 'remove', title: 'Take this order out', 'aria-label': `Take out: ${order.text || order.source}`,
          onclick: () => actions.remove(order.line),
        }, '×')),
      order.route_note ? el('p', { class: 'route-note' }, order.route_note) : null,
      order.battle ? oddsTable(order.battle) : null,
      problems.length ? el('ul', {}, ...problems.map((p) => problemItem(p, actions.select, actions.suggest))) : null));
  }
  const general = answer.problems.filter((p) => !answer.orders.some((o) => o.number === p.order));
  if (general.length) {
    list.append(el('li', { class: 'order general' }, el('ul', {}, ...general.map((p) => problemItem(p, actions.select, actions.suggest)))));
  }
}

export function summary(answer) {
  if (!answer.orders.length) return 'No orders yet.';
  const count = (status) => answer.orders.filter((order) => order.status === status).length;
  const parts = [`${answer.orders.length} ${answer.orders.length === 1 ? 'order' : 'orders'}`];
  if (count('problem')) parts.push(`${count('problem')} with problems`);
  if (count('warning')) parts.push(`${count('warning')} with warnings`);
  if (parts.length === 1) parts.push('all fine');
  return parts.join(', ');
}
