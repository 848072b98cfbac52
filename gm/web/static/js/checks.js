// What the server says about the orders as they stand: a list beside the text, one entry an order.
import { cited, el, ruleLinks } from './dom.js';
import { term } from './glossary.js';

const SIGNS = { ok: '✓', note: 'i', warning: '!', problem: '✗' };
const WORDS = { ok: 'fine', note: 'note', warning: 'warning', problem: 'problem' };

function problemItem(problem, onSuggestion) {
  const item = el('li', { class: `problem ${problem.severity}` },
    el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[problem.severity]),
    el('span', { class: 'visually-hidden' }, `${WORDS[problem.severity]}: `),
    el('span', {}, ...cited(problem.message)),
    problem.rules.length ? el('span', { class: 'rules' }, ' (', ...ruleLinks(problem.rules), ')') : null);
  if (problem.context) item.append(el('pre', { class: 'caret' }, problem.context));
  if (problem.suggestion) {
    item.append(el('button', { type: 'button', class: 'small', onclick: () => onSuggestion(problem) }, `Use: ${problem.suggestion}`));
  }
  return item;
}

export function oddsLine(battle) {
  const results = Object.entries(battle.results).flatMap(([die, result], n) => [`${n ? ' · ' : ''}${die} `, term(result)]);
  return el('p', { class: 'odds' },
    el('strong', { class: 'whole' }, battle.odds ? `Odds ${battle.odds}` : 'No attack'),
    ` (${battle.attack} against ${battle.defence})`,
    battle.odds ? el('span', { class: 'chances' }, ' ', ...cited(battle.summary)) : el('span', {}, ' ', ...cited(battle.summary)),
    battle.odds ? el('span', { class: 'faces' }, ' By the die: ', ...results) : null);
}

function orderItem(order, problems, actions) {
  const words = order.text || order.source;
  const kept = order.line === 0;
  return el('li', { class: `order ${order.status}`, 'data-line': order.line },
    el('div', { class: 'order-head' },
      el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[order.status]),
      order.number ? el('span', { class: 'number' }, `${order.number}.`) : null, // as other lines speak of it
      kept ? el('span', { class: 'plain' }, words)
        : el('button', { type: 'button', class: 'plain', onclick: () => actions.select(order) }, words),
      kept ? null : el('button', {
        type: 'button', class: 'remove', title: 'Take this order out', 'aria-label': `Take out: ${words}`, onclick: () => actions.remove(order),
      }, '×')),
    kept ? el('p', { class: 'route-note' }, 'On file from before: it stays until you write another of its kind.') : null,
    order.kind === 'Press' ? el('p', { class: 'route-note' }, 'Goes to the paper with this sheet; a new sheet without it withdraws it.') : null,
    order.route_note ? el('p', { class: 'route-note' }, ...cited(order.route_note)) : null,
    order.battle ? oddsLine(order.battle) : null,
    problems.length ? el('ul', {}, ...problems.map((p) => problemItem(p, actions.suggest))) : null);
}

export function showChecks(list, answer, actions) {
  const of = (order) => (order.number ? answer.problems.filter((p) => p.order === order.number) : []);
  list.replaceChildren(...answer.orders.map((order) => orderItem(order, of(order), actions)));
  const general = answer.problems.filter((p) => !answer.orders.some((o) => o.number && o.number === p.order));
  if (general.length) {
    list.append(el('li', { class: 'order general' }, el('ul', {}, ...general.map((p) => problemItem(p, actions.suggest)))));
  }
}

export function summary(answer) {
  const written = answer.orders.filter((order) => order.line);
  if (!written.length) return answer.orders.length ? 'No new orders: what stands from before is below.' : 'No orders yet.';
  const count = (status) => written.filter((order) => order.status === status).length;
  const parts = [`${written.length} ${written.length === 1 ? 'order' : 'orders'}`];
  if (count('problem')) parts.push(`${count('problem')} with problems`);
  if (count('warning')) parts.push(`${count('warning')} with warnings`);
  const whole = answer.problems.some((p) => !p.order && p.severity === 'problem');
  if (whole) parts.push('but none would be taken: see below');
  else if (parts.length === 1) parts.push('all fine');
  return parts.join(', ');
}
