// The map through all Phases: a slider changes the picture, and forces run along the ways they took.
import { $, $$, svg, calm } from './dom.js';
import { get } from './api.js';
import { MapView } from './mapview.js';

const root = $('#slider');
const range = $('#at-range');
const select = $('#at');
const map = new MapView($('#map'));
let line = { frames: [], centres: {} };
let playing = 0;
let running = 0;

$$('.js-only', root).forEach((node) => { node.hidden = false; });
$$('.no-js', root).forEach((node) => { node.hidden = true; });

const options = [...select.options];
const frameOf = (n) => line.frames.find((f) => `${f.turn}/${f.phase}` === options[n].value);

function run(frame) {
  cancelAnimationFrame(running);
  map.overlay.replaceChildren();
  if (!frame || calm.matches || !frame.moves.length) return;
  const runners = frame.moves.map((move) => {
    const points = move.path.map((code) => line.centres[code]);
    const group = svg('g', { class: `mover ${move.color}` });
    const label = svg('text', { class: 'runner-text', y: 4 });
    label.textContent = move.label.slice(0, 3);
    group.append(svg('circle', { class: 'runner', r: 13 }), label);
    map.overlay.append(group);
    return { group, points };
  });
  const began = performance.now();
  const step = (time) => {
    const part = Math.min(Math.max(time - began, 0) / 1600, 1);
    for (const { group, points } of runners) {
      const at = part * (points.length - 1);
      const n = Math.min(Math.floor(at), points.length - 2);
      const [a, b] = [points[n], points[n + 1]];
      const t = at - n;
      group.setAttribute('transform', `translate(${a[0] + (b[0] - a[0]) * t} ${a[1] + (b[1] - a[1]) * t})`);
    }
    if (part < 1) running = requestAnimationFrame(step);
    else map.overlay.replaceChildren();
  };
  running = requestAnimationFrame(step);
}

async function show(n) {
  range.value = n;
  select.selectedIndex = n;
  const words = options[n].textContent;
  $('#frame-title').textContent = words;
  range.setAttribute('aria-valuetext', words);
  const frame = frameOf(n);
  const news = $('#frame-news');
  news.replaceChildren(options[n].dataset.words ?? '');
  if (frame?.bell) {
    const link = document.createElement('a');
    link.href = `${root.dataset.base.replace(/\/map$/, '')}/bells/${frame.bell}`;
    link.textContent = `#${frame.bell} ${frame.headline}`;
    news.append(link);
  }
  await map.load(`${root.dataset.base}/${options[n].value}.svg?bare=true`);
  root.dataset.shown = options[n].value;
  run(frame);
}

function stop() { clearInterval(playing); playing = 0; $('#play').textContent = 'Play'; }

range.addEventListener('input', () => { stop(); show(Number(range.value)); });
$('#before').addEventListener('click', () => { stop(); show(Math.max(0, Number(range.value) - 1)); });
$('#after').addEventListener('click', () => { stop(); show(Math.min(options.length - 1, Number(range.value) + 1)); });
$('#play').addEventListener('click', () => {
  if (playing) { stop(); return; }
  $('#play').textContent = 'Stop';
  if (Number(range.value) === options.length - 1) show(0);
  playing = setInterval(() => {
    const next = Number(range.value) + 1;
    if (next >= options.length) stop(); else show(next);
  }, 2600);
});

line = await get(`${root.dataset.api}/timeline`);
await show(Number(range.value));
