// One step of a Phase: the map looks at where it happened, and the arrow keys go from step to step.
import { $ } from './dom.js';
import { MapView } from './mapview.js';

const frame = $('#map');
const map = new MapView(frame);
await map.load(frame.dataset.src);
if (frame.dataset.centre) map.show('here', { here: frame.dataset.centre.split(',').map(Number) });

addEventListener('keydown', (event) => {
  if (event.target.closest('input, textarea, select, svg') || event.altKey || event.ctrlKey || event.metaKey) return;
  const way = { ArrowRight: 'next', ArrowLeft: 'back' }[event.key];
  $(`[data-step="${way}"]`)?.click();
});
