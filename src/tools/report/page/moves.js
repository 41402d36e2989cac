// Looking around: zoom, pan, hover, focus, selection.

let redrawIsDue = false;
function redraw() {
  if (redrawIsDue) return;
  redrawIsDue = true;
  requestAnimationFrame(() => {
    redrawIsDue = false;
    drawMap();
    drawCurve();
  });
}

// Keeps a range inside of [low, high], and its length at least `least`.
function clampRange(from, to, low, high, least) {
  const length = Math.min(Math.max(to - from, Math.min(least, high - low)),
      high - low);
  const start = Math.min(Math.max((from + to - length) / 2, low),
      high - length);
  return [start, start + length];
}
function setView(view) {
  const all = whole();
  const [t0, t1] = clampRange(view.t0, view.t1, all.t0, all.t1, 1);
  const [a0, a1] = clampRange(view.a0, view.a1, all.a0, all.a1, 32);
  state.view = {t0, t1, a0, a1};
  redraw();
}
function zoomTime(factor, at = (state.view.t0 + state.view.t1) / 2) {
  const {t0, t1} = state.view;
  setView({...state.view, t0: at - (at - t0) * factor,
    t1: at + (t1 - at) * factor});
}
function zoomAddress(factor, at = (state.view.a0 + state.view.a1) / 2) {
  const {a0, a1} = state.view;
  setView({...state.view, a0: at - (at - a0) * factor,
    a1: at + (a1 - at) * factor});
}
// The storage and a few steps around it.
function zoomTo(storage) {
  const room = Math.max(2, (storage.end - storage.first_step) / 2);
  const above = Math.max(storage.bytes, 64);
  setView({t0: storage.first_step - room, t1: storage.end + room,
    a0: storage.offset - above, a1: storage.top + above});
}
function showStep(step) {
  const length = Math.min(state.view.t1 - state.view.t0, 24);
  setView({...whole(), t0: step + .5 - length / 2, t1: step + .5 + length / 2});
}
// Pans as little as it takes to see some of the storage.
function reveal(storage) {
  const view = {...state.view};
  const shift = (from, to, low, high) =>
      from >= high ? low - from : to <= low ? high - to : 0;
  const dt = shift(view.t0, view.t1, storage.first_step, storage.end);
  const da = shift(view.a0, view.a1, storage.offset, storage.top);
  if (dt === 0 && da === 0) return;
  const t = (storage.first_step + storage.end) / 2;
  const a = (storage.offset + storage.top) / 2;
  const halfT = (view.t1 - view.t0) / 2;
  const halfA = (view.a1 - view.a0) / 2;
  setView({t0: dt ? t - halfT : view.t0, t1: dt ? t + halfT : view.t1,
    a0: da ? a - halfA : view.a0, a1: da ? a + halfA : view.a1});
}

const views = {
  'fit': () => setView(whole()),
  'peak': () => showStep(peak.step),
  'time-in': () => zoomTime(.5),
  'time-out': () => zoomTime(2),
  'address-in': () => zoomAddress(.5),
  'address-out': () => zoomAddress(2),
};

function select(i) {
  state.selected = state.focused = i;
  state.step = -1;
  if (i >= 0) reveal(storages[i]);
  showPanel();
  markRows();
  redraw();
}
function selectStep(step) {
  state.selected = -1;
  state.step = step;
  if (step + 1 <= state.view.t0 || step >= state.view.t1) showStep(step);
  showPanel();
  markRows();
  redraw();
}

// What lies at a point of the map: of blocks that share it the later one; near
// a point without any, the closest within two pixels.
function hit(x, y) {
  const near = ({x: left, y: top, w, h}) => Math.max(
      left - x, x - left - w, top - y, y - top - h);
  let best = null;
  let least = 2.5;
  for (const storage of drawn) {
    if (storage.first_step > state.view.t1 || storage.end < state.view.t0) {
      continue;
    }
    const box = boxOfStorage(storage);
    if (!box) continue;
    const distance = Math.max(near(box), 0);
    if (distance < least || (distance === 0 && least === 0 &&
        storage.first_step >= best.first_step)) {
      best = storage;
      least = distance;
    }
  }
  return best;
}
function pointIn(svg, event) {
  const bounds = svg.getBoundingClientRect();
  return [event.clientX - bounds.left, event.clientY - bounds.top];
}

function showTip(lines, x, y) {
  const tip = $('tip');
  tip.replaceChildren(...lines.map((line, i) =>
    element(i === 0 ? 'strong' : 'span', {}, line)));
  tip.hidden = false;
  const stage = $('stage');
  const left = Math.min(x + 14, stage.clientWidth - tip.offsetWidth - 4);
  const above = y + 18 + tip.offsetHeight > stage.clientHeight;
  tip.style.left = `${Math.max(left, 0)}px`;
  tip.style.top = `${above ? y - tip.offsetHeight - 10 : y + 16}px`;
}
const hideTip = () => $('tip').hidden = true;
function tipAtFocus() {
  const storage = storages[state.focused];
  const box = storage && boxOfStorage(storage);
  if (box) showTip(describe(storage), box.x + box.w / 2, box.y + box.h / 2);
}
function stepLines(step) {
  return [step < steps.length ? `step ${step}: ${opOf(step)}` : 'the end',
    `live ${bytesText(liveOf(step))}`, `needed ${bytesText(boundOf(step))}`];
}

function listenToPointer() {
  const map = $('map');
  let drag = null;
  map.addEventListener('pointerdown', (event) => {
    drag = {x: event.clientX, y: event.clientY, view: {...state.view},
      moved: false};
  });
  map.addEventListener('pointermove', (event) => {
    const [x, y] = pointIn(map, event);
    if (drag && event.buttons === 1) return dragTo(map, drag, event);
    const storage = hit(x, y);
    map.classList.toggle('over', storage !== null);
    if (storage) showTip(describe(storage), x, y); else hideTip();
  });
  map.addEventListener('pointerleave', hideTip);
  map.addEventListener('pointerup', (event) => {
    const clicked = drag && !drag.moved;
    drag = null;
    if (!clicked) return;
    const storage = hit(...pointIn(map, event));
    select(storage ? storage.i : -1);
  });
  map.addEventListener('dblclick', (event) => {
    const storage = hit(...pointIn(map, event));
    if (storage) zoomTo(storage);
  });
  map.addEventListener('wheel', wheel, {passive: false});
  listenToCurve();
}

function dragTo(map, drag, event) {
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (!drag.moved && Math.hypot(dx, dy) < 4) return;
  if (!drag.moved) map.setPointerCapture(event.pointerId);
  drag.moved = true;
  hideTip();
  const dt = dx / plotWidth() * (drag.view.t1 - drag.view.t0);
  const da = dy / plotHeight() * (drag.view.a1 - drag.view.a0);
  setView({t0: drag.view.t0 - dt, t1: drag.view.t1 - dt,
    a0: drag.view.a0 + da, a1: drag.view.a1 + da});
}

// Without Ctrl the wheel scrolls the page, as everywhere.
function wheel(event) {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const [x, y] = pointIn($('map'), event);
  const factor = Math.exp((event.deltaY || event.deltaX) * .002);
  if (event.shiftKey) zoomAddress(factor, addressAt(y));
  else zoomTime(factor, timeAt(x));
}

function listenToCurve() {
  const curve = $('curve');
  const stepOf = (event) => Math.min(Math.max(
      Math.floor(timeAt(pointIn(curve, event)[0])), 0), columnCount - 1);
  curve.addEventListener('pointermove', (event) => {
    const [x, y] = pointIn(curve, event);
    showTip(stepLines(stepOf(event)), x, y + curve.getBoundingClientRect().top -
        $('stage').getBoundingClientRect().top);
  });
  curve.addEventListener('pointerleave', hideTip);
  curve.addEventListener('click', (event) => selectStep(stepOf(event)));
}

// Left and right walk in the order of time, up and down through what is live
// together.
function neighbour(key) {
  const from = storages[state.focused];
  const along = key === 'ArrowLeft' || key === 'ArrowRight';
  const list = (along ? drawn : drawn.filter((s) =>
    s.first_step <= from.last_step && from.first_step <= s.last_step)).slice();
  list.sort(along ?
      (a, b) => a.first_step - b.first_step || a.offset - b.offset :
      (a, b) => a.offset - b.offset || a.first_step - b.first_step);
  const forward = key === 'ArrowRight' || key === 'ArrowUp';
  return list[list.indexOf(from) + (forward ? 1 : -1)];
}
function focusOn(storage) {
  if (!storage) return;
  state.focused = storage.i;
  reveal(storage);
  redraw();
  requestAnimationFrame(tipAtFocus);
}
function listenToKeys() {
  const map = $('map');
  map.setAttribute('tabindex', '0');
  map.setAttribute('role', 'listbox');
  map.addEventListener('focus', () => {
    if (!map.matches(':focus-visible')) return;
    focusOn(storages[state.focused] || liveAt(peak.step)[0]);
  });
  map.addEventListener('blur', () => (hideTip(), redraw()));
  const keys = {
    'Enter': () => select(state.focused), ' ': () => select(state.focused),
    'Escape': () => (hideTip(), select(-1)), '0': views.fit, 'p': views.peak,
    '+': views['time-in'], '=': views['time-in'], '-': views['time-out'],
    '*': views['address-in'], '_': views['address-out'],
  };
  map.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith('Arrow')) {
      focusOn(state.focused < 0 ? liveAt(peak.step)[0] : neighbour(event.key));
    } else if (keys[event.key]) {
      keys[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  });
}
