// The memory map and the curve under it: steps across, addresses up.

const margin = {left: 78, right: 14, top: 30, bottom: 24};
const curveHeight = 132;
// Blocks that get an element of their own; others are drawn in one go.
const mostBlocks = 900;

const state = {
  view: null, width: 0, height: 0,
  selected: -1, focused: -1, step: -1, matches: null, budget: NaN,
};
const whole = () => ({t0: 0, t1: columnCount, a0: 0, a1: arenaTop * 1.02});

const plotWidth = () => state.width - margin.left - margin.right;
const plotHeight = () => state.height - margin.top - margin.bottom;
const xOf = (t) => margin.left +
    (t - state.view.t0) / (state.view.t1 - state.view.t0) * plotWidth();
const yOf = (a) => margin.top + plotHeight() -
    (a - state.view.a0) / (state.view.a1 - state.view.a0) * plotHeight();
const timeAt = (x) => state.view.t0 +
    (x - margin.left) / plotWidth() * (state.view.t1 - state.view.t0);
const addressAt = (y) => state.view.a0 +
    (margin.top + plotHeight() - y) / plotHeight() *
    (state.view.a1 - state.view.a0);

// The pixels of a block inside of the plot, or null.
function boxOf(first, end, low, high) {
  const left = Math.max(xOf(first), margin.left);
  const right = Math.min(xOf(end), state.width - margin.right);
  const top = Math.max(yOf(high), margin.top);
  const bottom = Math.min(yOf(low), state.height - margin.bottom);
  if (right <= left || bottom <= top) return null;
  return {x: left, y: top, w: Math.max(right - left, .8),
    h: Math.max(bottom - top, .8)};
}
const boxOfStorage = (s) => boxOf(s.first_step, s.end, s.offset, s.top);
const boxOfMeeting = (m) => boxOf(m.step, m.step + 1, m.shared_offset,
    m.shared_offset + m.shared_bytes);
const pathOf = (b) => `M${b.x.toFixed(1)} ${b.y.toFixed(1)}` +
    `h${b.w.toFixed(1)}v${b.h.toFixed(1)}h${(-b.w).toFixed(1)}z`;
const isDim = (s) => state.matches !== null && !state.matches.has(s.i);

function drawMap() {
  const map = $('map');
  map.setAttribute('viewBox', `0 0 ${state.width} ${state.height}`);
  map.setAttribute('height', state.height);
  const blocks = svgElement('g', {role: 'none'});
  const small = new Map();
  const boxes = [];
  for (const storage of drawn) {
    const box = boxOfStorage(storage);
    if (box) boxes.push({storage, box});
  }
  const area = ({box}) => box.w * box.h;
  const big = boxes.filter(({box}) => box.w >= 3 && box.h >= 3);
  big.sort((a, b) => area(b) - area(a));
  const own = new Set(big.slice(0, mostBlocks));
  for (const entry of boxes) {
    if (own.has(entry)) continue;
    const key = entry.storage.family + (isDim(entry.storage) ? ' dim' : '');
    small.set(key, (small.get(key) || '') + pathOf(entry.box));
  }
  for (const [key, d] of small) {
    blocks.append(svgElement('path', {
      d, class: `small fill-${key}`, 'aria-hidden': 'true',
    }));
  }
  for (const entry of boxes) {
    if (own.has(entry)) blocks.append(blockOf(entry.storage, entry.box));
  }
  map.replaceChildren(...axes(), blocks, ...overlay());
  map.setAttribute('aria-activedescendant',
      state.focused >= 0 ? `s${state.focused}` : '');
}

function blockOf(storage, box) {
  const block = svgElement('g', {
    id: `s${storage.i}`, class: isDim(storage) ? 'block dim' : 'block',
    role: 'option', 'aria-selected': String(storage.i === state.selected),
    'aria-label': describe(storage).join(', '),
  });
  block.append(svgElement('rect', {
    x: box.x, y: box.y, width: box.w, height: box.h,
    fill: `url(#p-${storage.family})`, class: 'edge',
  }));
  const lines = [storage.label,
    `${storage.op === 'input' ? 'input' : storage.op}`,
    shortBytes(storage.bytes)];
  const free = freeBox(storage, box);
  if (free.w >= 60 && free.h >= 15) {
    labelAcross(block, lines, free);
  } else if (free.w >= 13 && free.h >= 46) {
    labelUp(block, lines, free);
  } else if (free.w >= 34 && free.h >= 15) {
    labelAcross(block, lines, free);
  }
  return block;
}

// The largest part of a block's box beside, above or below what it shares.
function freeBox(storage, box) {
  let free = box;
  for (const meeting of storage.meetings) {
    const taken = meeting.shared_bytes > 0 && boxOfMeeting(meeting);
    if (!taken) continue;
    const right = taken.x + taken.w;
    const bottom = taken.y + taken.h;
    const parts = [
      {...free, w: Math.min(free.w, taken.x - free.x)},
      {...free, x: Math.max(free.x, right),
        w: free.x + free.w - Math.max(free.x, right)},
      {...free, h: Math.min(free.h, taken.y - free.y)},
      {...free, y: Math.max(free.y, bottom),
        h: free.y + free.h - Math.max(free.y, bottom)},
    ].filter(({w, h}) => w > 0 && h > 0);
    parts.sort((a, b) => b.w * b.h - a.w * a.h);
    free = parts[0] || {...free, w: 0, h: 0};
  }
  return free;
}

function labelAcross(block, lines, box) {
  const rows = Math.min(Math.floor((box.h - 2) / 13), 3);
  const shown = rows === 2 ? [lines[0], lines[2]] : lines.slice(0, rows);
  shown.forEach((line, row) => {
    block.append(svgElement('text', {
      x: box.x + 5, y: box.y + 12 + 13 * row,
      class: row === 0 ? 'name' : 'more',
    }, fit(line, box.w - 8, row === 0)));
  });
}

function labelUp(block, lines, box) {
  const rows = Math.min(Math.floor((box.w - 1) / 12), 3);
  const shown = rows === 2 ? [lines[0], lines[2]] : lines.slice(0, rows);
  shown.forEach((line, row) => {
    const x = box.x + 10 + 12 * row;
    const y = box.y + box.h - 5;
    block.append(svgElement('text', {
      x, y, transform: `rotate(-90 ${x} ${y})`,
      class: row === 0 ? 'name' : 'more',
    }, fit(line, box.h - 8, row === 0)));
  });
}

function axes() {
  const {t0, t1, a0, a1} = state.view;
  const right = state.width - margin.right;
  const bottom = state.height - margin.bottom;
  const group = svgElement('g', {class: 'axis', 'aria-hidden': 'true'});
  group.append(svgElement('rect', {
    x: margin.left, y: margin.top, width: plotWidth(), height: plotHeight(),
    class: 'ground',
  }));
  for (const a of ticks(a0, a1, 8, true)) {
    group.append(
        svgElement('path', {d: `M${margin.left} ${yOf(a)}H${right}`}),
        svgElement('text', {
          x: margin.left - 7, y: yOf(a) + 4, 'text-anchor': 'end',
        }, shortBytes(a)));
  }
  for (const t of ticks(t0, t1 - .5, plotWidth() / 70, false)) {
    if (t >= steps.length) continue;
    group.append(svgElement('text', {
      x: xOf(t + .5), y: bottom + 16, 'text-anchor': 'middle',
    }, String(t)));
  }
  const end = boxOf(steps.length, columnCount, a0, a1);
  if (end) {
    group.append(svgElement('path', {d: pathOf(end), class: 'end-column'}));
    if (end.w >= 18) {
      group.append(svgElement('text', {x: end.x + end.w / 2, y: bottom + 16,
        'text-anchor': 'middle'}, 'end'));
    }
  }
  return [group];
}

// Everything that lies on the blocks.
function overlay() {
  const group = svgElement('g', {class: 'overlay', 'aria-hidden': 'true'});
  let shared = '';
  for (const meeting of sharings) {
    if (isDim(storages[meeting.output]) && isDim(storages[meeting.input])) {
      continue;
    }
    const box = boxOfMeeting(meeting);
    // Smaller ones would hide what they lie on.
    if (box && box.w >= 2.5 && box.h >= 2) shared += pathOf(box);
  }
  group.append(svgElement('path', {d: shared, class: 'shared'}));
  group.append(...levels(), ...peakMark(), ...outlines());
  return [group];
}

function outlines() {
  const list = [];
  const add = (i, name) => {
    const box = i >= 0 && storages[i].bytes > 0 && boxOfStorage(storages[i]);
    if (box) list.push(svgElement('path', {d: pathOf(box), class: name}));
  };
  if (state.selected >= 0) {
    for (const meeting of storages[state.selected].meetings) {
      if (meeting.shared_bytes === 0) continue;
      add(meeting.output, 'partner');
      add(meeting.input, 'partner');
    }
  }
  add(state.selected, 'selected');
  if (document.activeElement === $('map')) add(state.focused, 'focused');
  return list;
}

function levels() {
  const list = [];
  const right = state.width - margin.right;
  const line = (bytes, name, text) => {
    const y = yOf(bytes);
    if (y < margin.top || y > state.height - margin.bottom) return;
    list.push(svgElement('path', {d: `M${margin.left} ${y}H${right}`,
      class: name}));
    list.push(svgElement('text', {x: right - 4, y: y - 4, class: 'level',
      'text-anchor': 'end'}, text));
  };
  const arena = usage.planned_bytes;
  line(arena, 'arena-line', `arena ${group(arena)}`);
  if (state.budget < arena) {
    line(state.budget, 'budget-line', `budget ${group(state.budget)}`);
  }
  return list;
}

function peakMark() {
  const {a0, a1} = state.view;
  const box = boxOf(peak.step, peak.step + 1, a0, a1);
  if (!box) return [];
  const middle = box.x + box.w / 2;
  const text = `peak: step ${peak.step} ${peak.op}`;
  const half = widthOf(text, true) * 12 / 11 / 2;
  const x = Math.min(Math.max(middle, margin.left + half),
      state.width - margin.right - half);
  return [
    svgElement('rect', {x: box.x, y: box.y, width: Math.max(box.w, 1.5),
      height: box.h, class: 'peak'}),
    svgElement('path', {class: 'peak-arrow',
      d: `M${middle - 5} ${margin.top - 8}h10l-5 8z`}),
    svgElement('text', {x, y: margin.top - 13, class: 'peak-text',
      'text-anchor': 'middle'}, text),
  ];
}

// The most bytes of all steps of each pixel, as a line of steps.
function stairs(bytesOf, yAt) {
  const {t0, t1} = state.view;
  const first = Math.max(Math.floor(t0), 0);
  const end = Math.min(Math.ceil(t1), columnCount);
  let d = '';
  for (let step = first; step < end;) {
    const left = Math.max(xOf(step), margin.left);
    let most = 0;
    do {
      most = Math.max(most, bytesOf(step++));
    } while (step < end && xOf(step) < left + 1);
    const right = Math.min(xOf(step), state.width - margin.right);
    const y = yAt(most).toFixed(1);
    d += `${d ? 'L' : 'M'}${left.toFixed(1)} ${y}H${right.toFixed(1)}`;
  }
  return d;
}

function drawCurve() {
  const curve = $('curve');
  const top = 20;
  const bottom = curveHeight - 8;
  curve.setAttribute('viewBox', `0 0 ${state.width} ${curveHeight}`);
  curve.setAttribute('height', curveHeight);
  const most = Math.max(usage.liveness_bound_bytes, arenaTop);
  const yAt = (bytes) => bottom - bytes / most * (bottom - top);
  const right = state.width - margin.right;
  const axis = svgElement('g', {class: 'axis'});
  for (const bytes of ticks(0, most, 3, true)) {
    axis.append(
        svgElement('path', {d: `M${margin.left} ${yAt(bytes)}H${right}`}),
        svgElement('text', {x: margin.left - 7, y: yAt(bytes) + 4,
          'text-anchor': 'end'}, shortBytes(bytes)));
  }
  const live = stairs(liveOf, yAt);
  const needed = stairs(boundOf, yAt);
  const {t1} = state.view;
  const close = `V${bottom}H${margin.left}z`;
  curve.replaceChildren(axis,
      svgElement('path', {d: live + close, class: 'live'}),
      svgElement('path', {d: needed, class: 'needed'}),
      svgElement('path', {d: `M${margin.left} ${yAt(usage.planned_bytes)}` +
          `H${right}`, class: 'arena-line'}),
      ...curveTexts(right), ...curveMarks(top, bottom, yAt, t1));
}

function curveTexts(right) {
  return [
    svgElement('rect', {x: margin.left, y: 3, width: 14, height: 9,
      class: 'live'}),
    svgElement('text', {x: margin.left + 19, y: 12, class: 'level'},
        'live bytes'),
    svgElement('path', {d: `M${margin.left + 92} 8h18`, class: 'needed'}),
    svgElement('text', {x: margin.left + 115, y: 12, class: 'level'},
        'needed at least, overlaps taken off'),
    svgElement('path', {d: `M${right - 74} 8h18`, class: 'arena-line'}),
    svgElement('text', {x: right - 51, y: 12, class: 'level'}, 'the arena'),
  ];
}

function curveMarks(top, bottom, yAt) {
  const marks = [];
  const column = (step, name) => {
    const box = boxOf(step, step + 1, state.view.a0, state.view.a1);
    if (!box) return;
    marks.push(svgElement('rect', {x: box.x, y: top, class: name,
      width: Math.max(box.w, 1.5), height: bottom - top}));
  };
  column(peak.step, 'peak');
  if (state.step >= 0) column(state.step, 'selected');
  if (state.budget < usage.liveness_bound_bytes) {
    marks.push(svgElement('path', {class: 'budget-line',
      d: `M${margin.left} ${yAt(state.budget)}` +
          `H${state.width - margin.right}`}));
  }
  return marks;
}
