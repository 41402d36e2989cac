// The details of what is selected: a storage, or a step.

const otherOf = (meeting, storage) => storages[
    meeting.output === storage.i ? meeting.input : meeting.output];

function link(storage, text = storage.label) {
  return element('button', {
    type: 'button', class: 'link', title: storage.name,
    onclick: () => select(storage.i),
  }, text);
}
function stepLink(step) {
  if (step === null || step >= steps.length) return 'the end';
  return element('button',
      {type: 'button', class: 'link', onclick: () => selectStep(step)},
      `step ${step} ${opOf(step)}`);
}
function facts(list) {
  const made = element('dl', {});
  for (const [name, ...values] of list) {
    made.append(element('dt', {}, name), element('dd', {}, ...values));
  }
  return made;
}
function section(title, items) {
  if (items.length === 0) return [];
  const most = 8;
  const shown = items.slice(0, most);
  if (items.length > most) {
    shown.push(element('li', {class: 'note'},
        `and ${group(items.length - most)} more`));
  }
  return [element('h4', {}, title), element('ul', {}, ...shown)];
}

function rolesOf(storage) {
  const roles = [];
  if (storage.is_input) roles.push('input');
  if (storage.is_output) roles.push('output');
  if (storage.is_kept) roles.push('kept on request');
  if (storage.is_scratch) roles.push('scratch');
  return roles.map((role) => element('span', {class: 'role'}, role));
}

function storageFacts(storage) {
  const tensor = storage.tensor;
  const list = [];
  if (tensor) list.push(['tensor', `${tensor.index}, ${typeText(tensor)}`]);
  if (tensor && tensor.subgraph) list.push(['subgraph', `${tensor.subgraph}`]);
  const bounded = tensor && tensor.memory === 'bounded';
  list.push(['bytes', (bounded ? 'at most ' : '') +
      bytesText(tensor ? tensor.bytes : storage.bytes)]);
  if (tensor && storage.bytes !== tensor.bytes) {
    list.push(['takes', `${bytesText(storage.bytes)}, aligned to ` +
        storage.alignment]);
  }
  list.push(['offset',
    `${group(storage.offset)} to ${group(storage.top)}`]);
  list.push(['first step', stepLink(storage.first_step)]);
  list.push(['last step', stepLink(storage.last_step)]);
  if (tensor) {
    list.push(['written by', tensor.writer_step === null ? 'you' :
        stepLink(tensor.writer_step)]);
    const reader = Math.max(-1, ...storage.tensors.map((t) =>
      tensors[t].last_reader_step ?? -1));
    list.push(['last read by', reader < 0 ? 'no step' : stepLink(reader)]);
  }
  return list;
}

function whyAlive(storage) {
  if (storage.last_step < steps.length) return [];
  const reason =
      storage.is_output ? 'It is an output: you read it after the last step.' :
      storage.is_kept ? 'It is kept on request.' :
      storage.is_input ? 'It is an input, which keeps its value for the next ' +
          'run. Option --allow-input-reuse frees it after its last read.' :
      'All tensors are kept.';
  return [element('p', {class: 'note'}, reason)];
}

const obstacles = {
  read_later: 'a later step still reads these bytes',
  lives_to_the_end: 'these bytes must live to the end',
  output_used_before: 'the output is in use before this step',
  op_forbids: 'the op may not write over this input',
  turned_off: 'overlap is turned off',
};
function meetingItem(storage, meeting) {
  const other = otherOf(meeting, storage);
  const way = meeting.output === storage.i ? 'over its input ' :
      'under the output ';
  if (meeting.verdict !== 'allowed') {
    return element('li', {}, way, link(other), ' of ',
        stepLink(meeting.step), `: ${obstacles[meeting.verdict]}`);
  }
  return element('li', {}, way, link(other), ' of ', stepLink(meeting.step),
      `: ${group(meeting.allowed_bytes)} bytes are allowed, the plan has no ` +
      'need of them');
}

function showStorage(storage) {
  const shared = storage.meetings.filter((m) => m.shared_bytes > 0);
  const apart = storage.meetings.filter((m) => m.shared_bytes === 0);
  const views = storage.tensors.filter((t) => t !== storage.main_tensor);
  const later = drawn.filter((s) => s !== storage &&
      s.offset < storage.top && storage.offset < s.top &&
      (s.last_step < storage.first_step || storage.last_step < s.first_step));
  $('panel').replaceChildren(
      element('h3', {}, storage.name, ...rolesOf(storage)),
      facts(storageFacts(storage)), ...whyAlive(storage),
      ...section('Views: other names of the same bytes', views.map((t) =>
        element('li', {title: tensors[t].name},
            `${shortName(tensors[t].name)} ${typeText(tensors[t])}`))),
      ...section('Shares bytes while both are live', shared.map((meeting) =>
        element('li', {}, `${group(meeting.shared_bytes)} bytes with `,
            link(otherOf(meeting, storage)), ' at ', stepLink(meeting.step)))),
      ...section('Does not lie', apart.map((meeting) =>
        meetingItem(storage, meeting))),
      ...section('Has these addresses at other times', later.map((other) =>
        element('li', {}, link(other), `, ${spanText(other)}`))));
}

function showStepPanel(step) {
  const live = liveAt(step);
  const title = step < steps.length ? `Step ${step}: ${opOf(step)}` :
      'After the last step';
  const list = [['live', bytesText(liveOf(step))],
    ['needed', bytesText(boundOf(step))]];
  if (step < steps.length) {
    const at = steps[step];
    if (at.scratch_bytes) list.push(['scratch', bytesText(at.scratch_bytes)]);
    if (!at.has_kernel) list.push(['kernel', 'none here: planned without']);
    if (!at.runs) list.push(['runs', 'never: its results are constants']);
    if (at.is_dynamic) list.push(['shapes', 'depend on data']);
  }
  const rows = live.slice(0, 40).map((storage) =>
    shareRow(storage.label, storage.bytes, liveOf(step),
        `url(#p-${storage.family})`, () => select(storage.i)));
  $('panel').replaceChildren(element('h3', {}, title), facts(list),
      element('h4', {}, plural(live.length, 'live tensor')),
      element('ol', {class: 'shares'}, ...rows));
}

function showPanel() {
  if (state.selected >= 0) return showStorage(storages[state.selected]);
  if (state.step >= 0) return showStepPanel(state.step);
  $('panel').replaceChildren(
      element('h3', {}, 'How to read it'),
      element('p', {}, 'Each block is a run of bytes: as wide as it lives, as ' +
          'high as it is large, at its address in the arena. Hatching marks ' +
          'bytes that an op writes over its own input. Empty space is ' +
          'memory that a step has no use for.'),
      element('p', {}, 'Click a block for what it is, why it lives so long, ' +
          'and who shares its bytes. Click the curve for what is live at a ' +
          'step.'));
}
