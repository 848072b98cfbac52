// The player's desk: the map writes orders, the text draws on the map, the server checks both.
import { $, $$, debounce } from './dom.js';
import { get, post } from './api.js';
import { MapView } from './mapview.js';
import { OrderText } from './ordertext.js';
import { showChecks, summary } from './checks.js';
import { Mover } from './mover.js';
import { setUpForms } from './forms.js';

const desk = $('#desk');
const api = desk.dataset.api;
const box = $('#orders');
const text = new OrderText(box);
const map = new MapView($('#map'));
const status = $('#check-status');
let board = null;
let answer = { orders: [], problems: [] };
let asked = null;

function drawRoutes() {
  if (!map.picture || !board) return;
  const current = text.current;
  const routes = answer.orders.filter((order) => order.path.length > 1 || order.marks.length).map((order) => ({
    path: order.walked.length ? order.walked : order.path,
    marks: order.marks,
    kind: [order.kind, order.line === current && document.activeElement === box ? 'current' : ''].join(' '),
  }));
  map.routes(routes, board.centres);
  const ordered = new Set(answer.orders.flatMap((order) => order.stacks));
  $$('.km-stack[data-stack]', map.picture).forEach((node) => {
    node.classList.toggle('ordered', ordered.has(Number(node.dataset.stack)));
  });
  $$('#forces [data-stack]').forEach((node) => node.classList.toggle('ordered', ordered.has(Number(node.dataset.stack))));
}

async function check() {
  asked?.abort();
  asked = new AbortController();
  try {
    answer = await post(`${api}/orders/check`, { text: box.value }, asked.signal);
  } catch (error) {
    if (error.name !== 'AbortError') status.textContent = `Not checked: ${error.message}`;
    return;
  }
  showChecks($('#checks'), answer, {
    select: (line) => text.select(line),
    remove: (line) => { mover.forget(); text.remove(line); },
    suggest: (problem) => text.put(problem.suggestion, problem.line),
  });
  status.textContent = summary(answer);
  $('#unsaved').hidden = box.value.trim() === (box.dataset.saved ?? '').trim();
  drawRoutes();
}

const mover = new Mover({
  map, text, api, panel: $('#selection'),
  board: () => board,
  orderOf: (stack) => answer.orders.find((order) => order.kind === 'Move' && order.stacks.includes(stack)),
});

const later = debounce(250, check);
box.addEventListener('input', later);
for (const event of ['keyup', 'click', 'focus', 'blur']) box.addEventListener(event, drawRoutes);

addEventListener('beforeunload', (event) => {
  if (!$('#unsaved').hidden && !desk.dataset.leaving) event.preventDefault();
});
$$('form', desk).forEach((form) => form.addEventListener('submit', () => { desk.dataset.leaving = '1'; }));

async function start() {
  $('#desk').classList.add('live');
  [board] = await Promise.all([get(`${api}/desk`), map.load($('#map').dataset.src)]);
  map.on('stack', (index, province, event) => mover.stack(index, event));
  map.on('province', (code) => mover.province(code));
  $$('#forces [data-stack]').forEach((node) => node.addEventListener('click', () => {
    const stack = board.stacks[Number(node.dataset.stack)];
    map.show(stack.province, board.centres);
    mover.stack(stack.index);
    if (innerWidth < 800) $('#map').scrollIntoView({ block: 'start' });
  }));
  setUpForms({ root: $('#forms'), text, board, answer: () => answer });
  await check();
}

start().catch((error) => { status.textContent = `The map could not be set up: ${error.message} Typing orders works all the same.`; });
