// What comes first: the figures, the peak, and what a budget would take.

function figure(label, bytes, note) {
  return element('div', {class: 'figure'},
      element('span', {class: 'label'}, label),
      element('strong', {'data-bytes': bytes}, group(bytes)),
      element('span', {class: 'note'}, note));
}

function drawFigures() {
  const gap = usage.planned_bytes - usage.lower_bound_bytes;
  const bound = report.proven_optimal ?
      'met: no plan of these tensors is smaller' :
      `${group(gap)} bytes below the plan`;
  const overlap = usage.liveness_bound_bytes - usage.planned_bytes;
  const list = [
    figure('arena', usage.arena_bytes, usage.persistent_bytes === 0 ?
        `bytes = ${shortBytes(usage.arena_bytes)}` :
        `${group(usage.planned_bytes)} planned + ` +
        `${group(usage.persistent_bytes)} of variables`),
    figure('lower bound', usage.lower_bound_bytes, bound),
    figure('without overlap', usage.liveness_bound_bytes,
        overlap > 0 ? `writing over inputs saves ${group(overlap)}` :
        'the most that is ever live'),
    figure('without sharing', usage.naive_bytes,
        usage.planned_bytes > 0 ? `sharing makes it ${
          (usage.naive_bytes / usage.planned_bytes).toFixed(1)} times smaller` :
        'every tensor in bytes of its own'),
  ];
  if (usage.persistent_bytes > 0) {
    list.push(figure('variables', usage.persistent_bytes,
        'part of the arena, kept from run to run'));
  }
  $('figures').replaceChildren(...list);
}

function drawSubtitle() {
  const missing = new Set(
      steps.filter((step) => !step.has_kernel).map((step) => step.op));
  const dynamic = tensors.filter((t) => t.memory === 'dynamic').length;
  const parts = [
    `${plural(steps.length, 'step')}, ${plural(tensors.length, 'tensor')}`,
    `alignment ${report.options.alignment}`, `strategy ${report.strategy}`,
  ];
  if (report.options.allow_input_reuse) parts.push('inputs may be reused');
  if (!report.options.allow_overlap) parts.push('no overlap');
  if (report.options.preserve_all_tensors) parts.push('all tensors kept');
  if (dynamic) parts.push(`${plural(dynamic, 'tensor')} outside of the plan`);
  if (missing.size) parts.push(`no kernel for ${[...missing].join(', ')}`);
  $('subtitle').textContent = parts.join(' · ');
}

// A row with a bar, a text, and a button that selects.
function shareRow(label, bytes, all, fill, onclick,
    percent = percentOf(bytes, all)) {
  const bar = swatch(fill);
  bar.setAttribute('class', 'share');
  bar.setAttribute('width', '100%');
  bar.firstChild.setAttribute('width',
      `${Math.max(100 * bytes / Math.max(all, 1), .6)}%`);
  return element('li', {},
      element('button', {type: 'button', class: 'row', onclick}, bar,
          element('span', {class: 'percent'}, percent),
          element('span', {class: 'bytes'}, group(bytes)),
          element('span', {class: 'text'}, label)));
}

function drawPeak() {
  const most = 8;
  const saved = peak.live_bytes - peak.bound_bytes;
  const gap = usage.planned_bytes - usage.lower_bound_bytes;
  $('peak-title').textContent = `The peak: step ${peak.step}, ${peak.op}`;
  $('peak-text').textContent =
      `${group(peak.live_bytes)} bytes are live at this step` +
      (saved > 0 ? `; overlaps take ${group(saved)} off. ` : '. ') +
      (report.proven_optimal ? 'The arena shrinks only when these do:' :
      `The plan is ${group(gap)} bytes above what it needs, which ` +
      '--strategy exhaustive may win; beyond that, these must shrink:');
  const rows = peak.storages.slice(0, most).map(({storage, bytes}) =>
    shareRow(storages[storage].label, bytes, peak.live_bytes,
        `url(#p-${storages[storage].family})`, () => select(storage)));
  const rest = peak.storages.slice(most);
  if (rest.length > 0) {
    const bytes = rest.reduce((sum, entry) => sum + entry.bytes, 0);
    rows.push(shareRow(`${plural(rest.length, 'more tensor')}`, bytes,
        peak.live_bytes, 'url(#p-other)', () => selectStep(peak.step)));
  }
  $('peak-list').replaceChildren(...rows);
}

function drawBudget() {
  const text = $('budget').value;
  const budget = parseBytes(text);
  state.budget = budget;
  const planned = budget - usage.persistent_bytes;
  const over = steps.map((_, step) => step)
      .filter((step) => boundOf(step) > planned)
      .sort((a, b) => boundOf(b) - boundOf(a) || a - b);
  $('budget-text').textContent = Number.isNaN(budget) ?
      (text.trim() ? 'That is no number of bytes.' : '') :
      budgetText(budget, over.length);
  $('budget-list').replaceChildren(...over.slice(0, 6).map((step) => {
    const excess = boundOf(step) - planned;
    return shareRow(`too many at step ${step}, ${opOf(step)}`, excess,
        boundOf(over[0]) - planned, 'url(#p-other)', () => selectStep(step),
        percentOf(excess, budget));
  }));
  redraw();
}
// At first a budget to play with: the next power of two below the arena.
function startBudget() {
  let budget = 1024;
  while (budget * 2 < usage.arena_bytes) budget *= 2;
  $('budget').value = shortBytes(budget);
  drawBudget();
}
function budgetText(budget, count) {
  if (usage.arena_bytes <= budget) {
    return `It fits, with ${bytesText(budget - usage.arena_bytes)} to spare.`;
  }
  const missing = bytesText(usage.arena_bytes - budget);
  if (count === 0) {
    return `${missing} too much, but no single step needs more than the ` +
        'budget: ' + (report.proven_optimal ?
        'how they fit together takes the rest.' :
        'try --strategy exhaustive.');
  }
  return `${missing} too much. ${plural(count, 'step')} of ` +
      `${group(steps.length)} must shrink, whatever the plan; the worst:`;
}

function drawAdvice() {
  if (report.suggestions.length === 0) return;
  $('advice').hidden = false;
  $('advice-list').replaceChildren(...report.suggestions.map((suggestion) =>
    element('li', {},
        element('strong', {}, `−${group(suggestion.saved_bytes)} bytes`),
        ` ${suggestion.what}: arena ${group(suggestion.arena_bytes)}. `,
        element('span', {class: 'note'}, suggestion.how))));
}
