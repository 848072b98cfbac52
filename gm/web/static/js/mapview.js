// The map in a frame: drag, wheel, pinch, keyboard and buttons; provinces and stacks that can be chosen.
import { $, $$, el, svg } from './dom.js';
import { text } from './api.js';

const CANVAS = { x: 0, y: 0, width: 1400, height: 1050 };
const WHOLE = { x: -700, y: -525, width: 2800, height: 2100 }; // more than there is: cut down to what fits
const CLOSEST = 6;
const READABLE = 9.6 / 14; // pixels of the screen a unit of the map, so that the names, 14 units high, can be read
const STAND_OFF = 24; // room around the forces that the map opens on

// Four corners of a screen; no letter of our fonts shows them.
function corners() {
  const picture = svg('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' });
  picture.append(svg('path', { d: 'M2 7V2H7M13 2H18V7M18 13V18H13M7 18H2V13', fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }));
  return picture;
}

export class MapView {
  constructor(frame, fullscreen = null) {
    this.frame = frame;
    this.fullscreen = fullscreen;
    this.view = { ...CANVAS };
    this.pointers = new Map();
    this.handlers = { province: () => {}, stack: () => {}, over: () => {} };
  }

  async load(source) {
    const parsed = new DOMParser().parseFromString(await text(source), 'image/svg+xml');
    const picture = document.importNode(parsed.documentElement, true);
    $$('style', picture).forEach((style) => style.remove()); // its rules are in map.css
    picture.removeAttribute('width');
    picture.removeAttribute('height');
    picture.setAttribute('preserveAspectRatio', 'xMidYMid meet');
    picture.setAttribute('role', 'group');
    picture.setAttribute('tabindex', '0');
    picture.setAttribute('aria-label', this.frame.dataset.label ?? 'Map');
    const old = $('svg.km-map', this.frame);
    if (old) old.replaceWith(picture);
    else this.frame.prepend(picture);
    if (!this.overlay) {
      // A sheet of its own above the map: routes and running forces are redrawn without the map below.
      this.overlay = svg('svg', { class: 'overlay' });
      picture.after(this.overlay);
      // On the frame: an SVG element that listens for focus would take it itself.
      this.frame.addEventListener('keydown', (event) => { if (!this.controls.contains(event.target)) this.#key(event); });
      this.frame.addEventListener('focusin', (event) => { this.handlers.over(event.target.dataset?.province); this.#follow(event.target); });
      new ResizeObserver(() => this.#apply()).observe(this.frame);
    }
    this.overlay.replaceChildren();
    $$('noscript, .map-still', this.frame).forEach((still) => still.remove());
    this.picture = picture;
    if (!this.controls) this.#buttons();
    this.#listen();
    this.#fitFrame();
    this.#apply();
  }

  on(name, handler) { this.handlers[name] = handler; }

  province(code) { return $(`#p-${code}`, this.picture); }

  stack(index) { return $(`.km-stack[data-stack="${index}"]`, this.picture); }

  centre(code, centres) { return centres[code] ?? [700, 525]; }

  // The counters of a province as a rectangle; null where nothing stands.
  #box(code) {
    const node = $(`.km-block[data-block="${code}"]`, this.picture);
    return node ? node.dataset.box.split(' ').map(Number) : null;
  }

  // Where it is marked what is to happen in a province: by its printed name, and never upon the counters of another.
  #spot(code, centres) {
    const node = $(`.km-block[data-block="${code}"]`, this.picture);
    return node ? node.dataset.mark.split(' ').map(Number) : this.centre(code, centres);
  }

  // --- view -------------------------------------------------------------------------------------
  #fitFrame() {
    // On a phone the whole of Russia is too small to touch: begin with European Russia filling the frame.
    if (this.fitted) return;
    this.fitted = true;
    const box = this.frame.getBoundingClientRect();
    if (box.width < 600) {
      const height = 640;
      this.view = { x: 60, y: 80, height, width: height * (box.width / Math.max(box.height, 1)) };
    } else {
      this.view = { ...WHOLE };
    }
  }

  // Open on these provinces, as many of them as can be shown with names that can be read.
  theatre(codes, centres) {
    const boxes = [...new Set(codes)].map((code) => { const [x, y] = this.centre(code, centres); return this.#box(code) ?? [x, y, x, y]; });
    if (!boxes.length) return;
    const box = this.picture.getBoundingClientRect();
    const most = { width: box.width / READABLE, height: box.height / READABLE };
    // The window with most of them, among those that have one at the left and one at the top; its middle is theirs.
    let best = [boxes[0]];
    for (const [left] of boxes) {
      for (const [, top] of boxes) {
        const within = boxes.filter(([x0, y0, x1, y1]) => x0 >= left && x1 <= left + most.width - 2 * STAND_OFF && y0 >= top && y1 <= top + most.height - 2 * STAND_OFF);
        if (within.length > best.length) best = within;
      }
    }
    const centre = (n) => (Math.min(...best.map((b) => b[n])) + Math.max(...best.map((b) => b[n + 2]))) / 2;
    const middle = { x: centre(0), y: centre(1) };
    this.view = { x: middle.x - most.width / 2, y: middle.y - most.height / 2, ...most };
    this.#apply();
  }

  // The view has the shape of the frame; what is smaller than the frame stands in its middle.
  #apply() {
    const v = this.view;
    const box = this.picture.getBoundingClientRect();
    const ratio = box.width && box.height ? box.height / box.width : CANVAS.height / CANVAS.width;
    const widest = Math.max(CANVAS.width, CANVAS.height / ratio);
    const middle = { x: v.x + v.width / 2, y: v.y + v.height / 2 };
    v.width = Math.min(Math.max(v.width, CANVAS.width / CLOSEST), widest);
    v.height = v.width * ratio;
    const within = (centre, size, whole) => (size >= whole ? (whole - size) / 2 : Math.min(Math.max(centre - size / 2, 0), whole - size));
    v.x = within(middle.x, v.width, CANVAS.width);
    v.y = within(middle.y, v.height, CANVAS.height);
    for (const sheet of [this.picture, this.overlay]) sheet.setAttribute('viewBox', `${v.x} ${v.y} ${v.width} ${v.height}`);
  }

  zoom(factor, at) {
    const v = this.view;
    const centre = at ?? { x: v.x + v.width / 2, y: v.y + v.height / 2 };
    const real = Math.min(Math.max(v.width * factor, CANVAS.width / CLOSEST), CANVAS.width * 2) / v.width;
    v.x = centre.x - (centre.x - v.x) * real;
    v.y = centre.y - (centre.y - v.y) * real;
    v.width *= real;
    v.height *= real;
    this.#apply();
  }

  pan(dx, dy) { this.view.x += dx; this.view.y += dy; this.#apply(); }

  reset() { this.view = { ...WHOLE }; this.#apply(); }

  show(code, centres) {
    const [x, y] = this.centre(code, centres);
    const v = this.view;
    if (v.width > 900) { v.width = 700; v.height = 525; }
    v.x = x - v.width / 2;
    v.y = y - v.height / 2;
    this.#apply();
  }

  // What the keys come to is brought into the picture, and the picture into the window.
  #follow(target) {
    if (!target.matches('.km-stack, .way') || !target.matches(':focus-visible')) return;
    this.frame.scrollTo(0, 0); // the browser itself would push the picture out of its frame
    const frame = this.picture.getBoundingClientRect();
    const box = target.getBoundingClientRect();
    const shift = (low, high, from, to) => (high - low > to - from ? (low + high - from - to) / 2 : Math.min(low - from, 0) + Math.max(high - to, 0));
    const dx = shift(box.left - 16, box.right + 16, frame.left, frame.right);
    const dy = shift(box.top - 16, box.bottom + 16, frame.top, frame.bottom);
    if (dx || dy) this.pan(dx * this.#scale(), dy * this.#scale());
    const now = target.getBoundingClientRect();
    if (now.top < 0 || now.bottom > innerHeight) scrollBy(0, shift(now.top, now.bottom, 0, innerHeight));
  }

  #point(event) {
    const matrix = this.picture.getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  }

  #scale() { return this.view.width / Math.max(this.picture.getBoundingClientRect().width, 1); }

  // --- hands and keys -----------------------------------------------------------------------------
  #buttons() {
    const button = (label, sign, action) =>
      el('button', { type: 'button', class: 'map-button', 'aria-label': label, title: label, onclick: action }, sign);
    this.controls = el('div', { class: 'map-controls', role: 'group', 'aria-label': 'Map view' },
      button('Zoom in', '+', () => this.zoom(0.7)),
      button('Zoom out', '−', () => this.zoom(1 / 0.7)),
      button('Whole map', '⤢', () => this.reset()));
    this.frame.classList.add('with-controls');
    this.frame.append(this.controls);
    if (this.fullscreen && document.fullscreenEnabled) {
      this.controls.append(button('Full screen', corners(), () => (document.fullscreenElement ? document.exitFullscreen() : this.fullscreen.requestFullscreen())));
    }
  }

  #listen() {
    const picture = this.picture;
    let moved = 0;
    picture.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 0.87, this.#point(event));
    }, { passive: false });
    picture.addEventListener('pointerdown', (event) => {
      this.pointers.set(event.pointerId, event);
      moved = 0;
    });
    picture.addEventListener('pointermove', (event) => {
      const before = this.pointers.get(event.pointerId);
      if (!before) return;
      const dx = event.clientX - before.clientX;
      const dy = event.clientY - before.clientY;
      moved += Math.abs(dx) + Math.abs(dy);
      if (this.pointers.size === 2) this.#pinch(event);
      else if (moved > 6) {
        if (!picture.hasPointerCapture(event.pointerId)) picture.setPointerCapture(event.pointerId);
        this.pan(-dx * this.#scale(), -dy * this.#scale());
      }
      this.pointers.set(event.pointerId, event);
    });
    const release = (event) => this.pointers.delete(event.pointerId);
    picture.addEventListener('pointerup', release);
    picture.addEventListener('pointercancel', release);
    picture.addEventListener('click', (event) => {
      if (moved > 6) { moved = 0; return; }
      this.#choose(event.target, event);
    });
    picture.addEventListener('pointerover', (event) => this.handlers.over(event.target.closest?.('[data-province]')?.dataset.province));
  }

  #pinch(event) {
    const [a, b] = [...this.pointers.values()];
    const other = a.pointerId === event.pointerId ? b : a;
    const before = this.pointers.get(event.pointerId);
    const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
    const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    if (was > 0 && now > 0) this.zoom(was / now, this.#point(other));
  }

  #choose(target, event) {
    const stack = target.closest?.('.km-stack[data-stack]');
    const province = target.closest?.('[data-province]');
    const offered = province?.classList.contains('reach') ? province : null;
    if (stack && this.handlers.stack(Number(stack.dataset.stack), stack.dataset.province, event)) return;
    if (stack) { this.handlers.province(stack.dataset.province, event); return; }
    if (offered || province) this.handlers.province(province.dataset.province, event);
  }

  #key(event) {
    const step = this.view.width / 8;
    const acts = {
      ArrowLeft: () => this.pan(-step, 0), ArrowRight: () => this.pan(step, 0),
      ArrowUp: () => this.pan(0, -step), ArrowDown: () => this.pan(0, step),
      '+': () => this.zoom(0.7), '=': () => this.zoom(0.7), '-': () => this.zoom(1 / 0.7), 0: () => this.reset(),
    };
    if ((event.key === 'Enter' || event.key === ' ') && event.target !== this.picture) {
      event.preventDefault();
      this.#choose(event.target, event);
    } else if (acts[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      acts[event.key]();
    }
  }

  // --- painting -----------------------------------------------------------------------------------
  // reach: province -> { stops, next, label }. While a force is led, Tab goes from it to the provinces that it can
  // reach, the next ones first: they stand behind the map, and the other stacks are passed over.
  light(reach, chosen = null) {
    $$('.reach', this.picture).forEach((node) => node.classList.remove('reach', 'halts', 'next'));
    const focused = this.overlay.contains(document.activeElement);
    $$('.way', this.overlay).forEach((node) => node.remove());
    const ways = Object.entries(reach).sort(([, a], [, b]) => a.path.length - b.path.length);
    for (const [code, way] of ways) {
      const node = this.province(code);
      if (!node) continue;
      node.classList.add('reach');
      node.classList.toggle('halts', Boolean(way.stops));
      node.classList.toggle('next', Boolean(way.next));
      this.overlay.append(svg('path', {
        class: 'way', d: node.getAttribute('d'), 'data-province': code, tabindex: '0', role: 'button', 'aria-label': way.label,
      }));
    }
    $$('.km-stack', this.picture).forEach((node) => {
      node.setAttribute('tabindex', chosen === null || Number(node.dataset.stack) === chosen ? '0' : '-1');
    });
    // The province under the keys is gone with its way: they go on from the first of the new ones.
    if (focused) ($('.way', this.overlay) ?? this.stack(chosen) ?? this.picture).focus();
  }

  // Where somebody else could go.
  shade(codes) {
    $$('.danger', this.picture).forEach((node) => node.classList.remove('danger'));
    for (const code of codes) this.province(code)?.classList.add('danger');
  }

  choose(indices) {
    $$('.km-stack.chosen', this.picture).forEach((node) => node.classList.remove('chosen'));
    for (const index of indices) this.stack(index)?.classList.add('chosen');
  }

  // What is drawn in a layer stays until something else is drawn in it: orders, or the moves of the last Bell.
  routes(routes, centres, layer = 'orders') {
    this.layers ??= {};
    const sheet = this.layers[layer] ??= svg('g', { 'aria-hidden': 'true' });
    this.overlay.prepend(sheet);
    sheet.replaceChildren();
    for (const route of routes) this.#route(sheet, route, centres);
  }

  // A way from the edge of the counters where it begins to the edge of those where it ends, so that it covers neither.
  #between(path, centres) {
    const points = path.map((code) => this.centre(code, centres));
    const cut = (line, box) => {
      if (!box) return line;
      const held = ([x, y]) => x > box[0] - 4 && x < box[2] + 4 && y > box[1] - 4 && y < box[3] + 4;
      const out = line.findIndex((point) => !held(point));
      if (out < 1) return line;
      let [inside, outside] = [line[out - 1], line[out]];
      for (let n = 0; n < 8; n += 1) {
        const middle = [(inside[0] + outside[0]) / 2, (inside[1] + outside[1]) / 2];
        if (held(middle)) inside = middle; else outside = middle;
      }
      return [outside, ...line.slice(out)];
    };
    if (points.length < 2) return points;
    return cut(cut(points, this.#box(path[0])).reverse(), this.#box(path.at(-1))).reverse();
  }

  #route(sheet, route, centres) {
    const points = this.#between(route.path, centres);
    if (points.length > 1) {
      const line = points.map((p) => p.join(',')).join(' ');
      sheet.append(svg('polyline', { class: 'route-case', points: line }));
      sheet.append(svg('polyline', { class: `route ${route.kind ?? ''}`, points: line }));
      const [[x0, y0], [x1, y1]] = points.slice(-2);
      const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
      sheet.append(svg('path', {
        class: `route-head ${route.kind ?? ''}`, d: 'M-13,-8 L5,0 L-13,8 Z', transform: `translate(${x1} ${y1}) rotate(${angle})`,
      }));
    }
    for (const code of route.marks ?? []) {
      const [x, y] = this.#spot(code, centres);
      const mark = svg('g', { class: `route-mark ${route.kind ?? ''}`, transform: `translate(${x} ${y})` });
      mark.append(svg('circle', { r: 12 }), svg('path', { d: 'M-6,-6 L6,6 M6,-6 L-6,6' }));
      sheet.append(mark);
    }
  }
}
