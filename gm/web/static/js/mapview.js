// The map in a frame: drag, wheel, pinch, keyboard and buttons; provinces and stacks that can be chosen.
import { $, $$, el, svg } from './dom.js';
import { text } from './api.js';

const CANVAS = { x: 0, y: 0, width: 1400, height: 1050 };
const WHOLE = { x: -700, y: -525, width: 2800, height: 2100 }; // more than there is: cut down to what fits
const CLOSEST = 6;

export class MapView {
  constructor(frame) {
    this.frame = frame;
    this.view = { ...CANVAS };
    this.pointers = new Map();
    this.handlers = { province: () => {}, stack: () => {} };
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
      this.overlay = svg('svg', { class: 'overlay', 'aria-hidden': 'true' });
      picture.after(this.overlay);
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
    this.frame.append(this.controls);
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
    picture.addEventListener('keydown', (event) => this.#key(event));
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
  light(reach) {
    // reach: province -> { stops, reason, label }
    $$('.reach', this.picture).forEach((node) => {
      node.classList.remove('reach', 'halts', 'next');
      ['tabindex', 'role', 'aria-label'].forEach((name) => node.removeAttribute(name));
    });
    for (const [code, way] of Object.entries(reach)) {
      const node = this.province(code);
      if (!node) continue;
      node.classList.add('reach');
      node.classList.toggle('halts', Boolean(way.stops));
      node.classList.toggle('next', Boolean(way.next));
      node.setAttribute('tabindex', '0');
      node.setAttribute('role', 'button');
      node.setAttribute('aria-label', way.label);
    }
  }

  choose(indices) {
    $$('.km-stack.chosen', this.picture).forEach((node) => node.classList.remove('chosen'));
    for (const index of indices) this.stack(index)?.classList.add('chosen');
  }

  routes(routes, centres) {
    this.overlay.replaceChildren();
    for (const route of routes) this.#route(route, centres);
  }

  #route(route, centres) {
    const points = route.path.map((code) => this.centre(code, centres));
    if (points.length > 1) {
      const line = points.map((p) => p.join(',')).join(' ');
      this.overlay.append(svg('polyline', { class: 'route-case', points: line }));
      this.overlay.append(svg('polyline', { class: `route ${route.kind ?? ''}`, points: line }));
      const [[x0, y0], [x1, y1]] = points.slice(-2);
      const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
      this.overlay.append(svg('path', {
        class: `route-head ${route.kind ?? ''}`, d: 'M-13,-8 L5,0 L-13,8 Z', transform: `translate(${x1} ${y1}) rotate(${angle})`,
      }));
    }
    for (const code of route.marks ?? []) {
      const [x, y] = this.centre(code, centres);
      const mark = svg('g', { class: `route-mark ${route.kind ?? ''}`, transform: `translate(${x} ${y})` });
      mark.append(svg('circle', { r: 12 }), svg('path', { d: 'M-6,-6 L6,6 M6,-6 L-6,6' }));
      this.overlay.append(mark);
    }
  }
}
