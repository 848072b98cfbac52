// The player's desk: the map writes orders, the text draws on the map, the server checks both and keeps what is not sent.
import { $, $$, bringIntoView, calm, debounce, el, whole } from './dom.js';
import { get, post } from './api.js';
import { MapView } from './mapview.js';
import { OrderText } from './ordertext.js';
import { showChecks, summary } from './checks.js';
import { Mover } from './mover.js';
import { setUpForms } from './forms.js';
import { Alone } from './alone.js';

const desk = $('#desk');
const api = desk.dataset.api;
const box = $('#orders');
const text = new OrderText(box);
const map = new MapView($('#map'), desk);
const status = $('#check-status');
const narrow = matchMedia('(max-width: 61.99rem)');
let board = null;
let answer = { orders: [], problems: [], forces: [] };
let checked = null; // the text that the answer is about
let asked = null;
let pointed = 0; // the line of an order that was just written by a form or the map
let removed = null; // the words of an order that was just taken out, and its place in the list

function drawRoutes() {
  if (!map.picture || !board) return;
  const current = text.current;
  const routes = answer.orders.filter((order) => order.path.length > 1 || order.marks.length).map((order) => ({
    path: order.walked.length ? order.walked : order.path,
    marks: order.marks,
    kind: [order.kind, order.line === current && document.activeElement === box ? 'current' : ''].join(' '),
  }));
  map.routes(routes, board.centres);
  const ordered = new Set(alone ? [] : answer.orders.flatMap((order) => order.stacks));
  for (const node of [...$$('.km-stack[data-stack]', map.picture), ...$$('#forces [data-stack]')]) {
    node.classList.toggle('ordered', ordered.has(Number(node.dataset.stack)));
  }
}

// Who could attack each force, as the sheet leads it, not as it stands; the answer has the most endangered first.
function showThreats() {
  const items = answer.forces.flatMap(({ stack, words }) => {
    const item = $(`#forces [data-stack="${stack}"]`)?.parentElement;
    if (!item) return [];
    $$('.threat', item).forEach((node) => node.remove());
    item.append(...words.map((line) => el('p', { class: 'threat' }, ...whole(line))));
    return [item];
  });
  const list = items[0]?.parentElement;
  // Only what changes its place is moved: it would lose the focus.
  items.forEach((item, n) => { if (list.children[n] !== item) list.insertBefore(item, list.children[n]); });
  const worst = $('#worst');
  if (!worst) return;
  const [first] = answer.forces;
  worst.hidden = !first?.short;
  $('a > span', worst).textContent = first?.short ?? '';
}

// An order that was just written, on a telephone together with the buttons above it that save it.
function showWritten(item) {
  const bar = $('.save-bar');
  const both = item.getBoundingClientRect().bottom - bar.getBoundingClientRect().top < innerHeight - 60;
  if (!narrow.matches) bringIntoView(item);
  else (both ? bar : item).scrollIntoView({ block: both ? 'start' : 'center', behavior: calm.matches ? 'auto' : 'smooth' });
}

// One request a text: who asks again while it is on its way waits for the same answer.
function check() {
  const said = box.value;
  if (asked?.said !== said) {
    asked?.abort.abort();
    const abort = new AbortController();
    const mine = { said, abort };
    mine.done = judge(said, abort.signal).finally(() => { if (asked === mine) asked = null; });
    asked = mine;
  }
  return asked.done;
}

async function judge(said, signal) {
  try {
    answer = await post(`${api}/orders/check`, { text: said }, signal);
    checked = said;
  } catch (error) {
    if (error.name !== 'AbortError') status.textContent = `Not checked: ${error.message}`;
    return;
  }
  showChecks($('#checks'), answer, {
    select: (order) => text.select(order.line, order.last),
    remove: (order) => {
      removed = { words: order.text || order.source, place: answer.orders.indexOf(order) };
      mover.forget();
      text.remove(order.line, order.last);
      check();
    },
    suggest: (problem) => text.put(problem.suggestion, problem.line, answer.orders.find((o) => o.line === problem.line)?.last),
  });
  status.textContent = removed ? `Taken out: ${removed.words}. ${summary(answer)}` : summary(answer);
  if (removed) {
    const left = $$('#checks .remove');
    (left[Math.min(removed.place, left.length - 1)] ?? status).focus({ preventScroll: true });
    removed = null;
  }
  const none = $('#none-on-file');
  if (none && answer.orders.some((order) => !order.line)) none.textContent = 'Nothing new on file: what stands from before counts';
  $('#unsaved').hidden = !unsent();
  drawRoutes();
  showThreats();
  const written = pointed && $(`#checks [data-line="${pointed}"]`);
  if (written) showWritten(written);
  pointed = 0;
  await alone?.refresh();
  if (alone) drawRoutes();
}

const unsent = () => box.value.trim() !== (box.dataset.saved ?? '').trim();
const fresh = async () => { if (checked !== box.value) await check(); };

const orders = () => answer.orders;
const wrote = (line) => { pointed = line; };

let alone = null;
const mover = new Mover({
  map, text, api, fresh, panel: $('#selection'),
  board: () => board,
  orders: () => (alone ? [] : orders()), wrote,
  extra: () => alone?.after ?? {}, done: () => alone?.refresh(),
});
// In the game for one person each order is judged on what the one before left.
if (desk.dataset.alone) alone = new Alone({ map, api, box, text, board: () => board, mover, orders, fresh });

// --- what is typed is checked soon, and kept a little later ------------------------------------------------
let kept = box.value;
function keep() {
  if (box.value === kept || desk.dataset.leaving) return; // what is being sent is not kept for the next Phase
  kept = box.value;
  post(`${api}/orders/unsent`, { text: kept }, undefined, true).catch(() => { kept = null; });
}
const soon = debounce(250, check);
const later = debounce(1200, keep);
box.addEventListener('input', (event) => {
  if (event.isTrusted && mover.move) mover.forget(); // lines move while somebody types
  soon();
  later();
});
for (const event of ['keyup', 'click', 'focus', 'blur']) box.addEventListener(event, drawRoutes);
addEventListener('pagehide', keep);
$('#order-form').addEventListener('submit', () => { desk.dataset.leaving = '1'; });
addEventListener('pageshow', () => { delete desk.dataset.leaving; });
$('#map').closest('.desk-map').addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() === 'o' && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); box.focus(); }
});

// The moves or battles that the last Bell reported, as long as the button is pressed.
async function past(button) {
  const on = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', String(on));
  const { moves = [], battles = [] } = (on && (await get(`${api}/timeline`)).frames.at(-1)) || {};
  const ways = moves.map((move) => ({ path: move.path, kind: `past ${move.color}` }));
  map.routes([...ways, { path: [], marks: battles, kind: 'past' }], board.centres, 'past');
  if (narrow.matches && on) $('#map').scrollIntoView({ block: 'start' });
}

async function start() {
  desk.classList.add('live');
  const loaded = Promise.all([get(`${api}/desk`), map.load($('#map').dataset.src)]);
  // A force that is chosen before the map is there is shown as soon as it is.
  $('#forces').addEventListener('click', async (event) => {
    const node = event.target.closest('[data-stack]');
    if (!node) return;
    await loaded;
    const stack = board.stacks[Number(node.dataset.stack)];
    map.show(stack.province, board.centres);
    mover.stack(stack.index);
    if (narrow.matches) $('#map').scrollIntoView({ block: 'start' });
  });
  [board] = await loaded;
  map.theatre(board.stacks.filter((stack) => stack.mine).map((stack) => stack.province), board.centres);
  map.on('stack', (index) => alone?.stack(index) || mover.stack(index));
  map.on('province', (code) => alone?.province(code) || mover.province(code));
  map.on('over', (code) => mover.panel.peek(code));
  $('#past-moves')?.addEventListener('click', (event) => past(event.currentTarget));
  alone?.list();
  setUpForms({ root: $('#forms'), text, board, fresh, orders, wrote });
  await check();
}

start().catch((error) => { status.textContent = `The map could not be set up: ${error.message} Typing orders works all the same.`; });
