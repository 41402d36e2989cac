// The report as data: rows with links, and texts about them.

const $ = (id) => document.getElementById(id);

function rowsOf(list) {
  const keys = Object.keys(list.columns);
  return Array.from({length: list.count}, (_, i) => {
    const row = {};
    for (const key of keys) row[key] = list.columns[key][i];
    return row;
  });
}

const report = JSON.parse($('data').textContent);
for (const list of ['steps', 'storages', 'tensors', 'overlaps']) {
  report[list] = rowsOf(report[list]);
}
const {steps, storages, tensors, overlaps, families, usage, peak} = report;
// One column for each step, and one for what lives after the last.
const columnCount = steps.length + 1;
const arenaTop = Math.max(usage.planned_bytes, 1);

const opOf = (step) => step < steps.length ? steps[step].op : 'the end';
const liveOf = (step) =>
    step < steps.length ? steps[step].live_bytes : report.end_bytes;
const boundOf = (step) =>
    step < steps.length ? steps[step].bound_bytes : report.end_bytes;
const stepText = (step) => step >= steps.length ?
    'to the end' : `step ${step} ${steps[step].op}`;

// A name as a label: without the folder that most names share, and of fused
// ops' names the first.
function shortName(name) {
  const folder = report.common_folder;
  const inner = name.startsWith(folder) ? name.slice(folder.length) : name;
  return inner.split(';')[0] || name;
}

storages.forEach((storage, i) => {
  const tensor = tensors[storage.main_tensor];
  storage.i = i;
  storage.tensor = tensor;
  storage.top = storage.offset + storage.bytes;
  storage.end = storage.last_step + 1;
  storage.family_index = families.findIndex((f) => f.key === storage.family);
  storage.op = storage.is_scratch ? opOf(storage.first_step) :
      tensor.writer_step === null ? 'input' : opOf(tensor.writer_step);
  storage.name = tensor ? tensor.name || `tensor ${tensor.index}` :
      `scratch of ${storage.op}`;
  storage.label = shortName(storage.name);
  storage.meetings = [];
});
for (const meeting of overlaps) {
  storages[meeting.output].meetings.push(meeting);
  storages[meeting.input].meetings.push(meeting);
}
const sharings = overlaps.filter((meeting) => meeting.shared_bytes > 0);
const drawn = storages.filter((storage) => storage.bytes > 0);

const digits = new Intl.NumberFormat('en-US');
const group = (number) => digits.format(number);
function shortBytes(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${+(bytes / 1024).toFixed(1)} KiB`;
  return `${+(bytes / 1048576).toFixed(2)} MiB`;
}
const bytesText = (bytes) => bytes < 1024 ?
    `${group(bytes)} bytes` : `${group(bytes)} bytes (${shortBytes(bytes)})`;
const percentOf = (part, all) =>
    all > 0 ? `${(100 * part / all).toFixed(1)} %` : '';
const plural = (count, noun) =>
    `${group(count)} ${noun}${count === 1 ? '' : 's'}`;

function typeText(tensor) {
  return `${tensor.type} [${tensor.shape.join(', ')}]`;
}
function spanText(storage) {
  const last = storage.last_step >= steps.length ? 'the end' :
      `step ${storage.last_step}`;
  return storage.last_step === storage.first_step ?
      `step ${storage.first_step}` :
      `step ${storage.first_step} to ${last}`;
}
// What hovering, focus and screen readers get.
function describe(storage) {
  const lines = [storage.name];
  if (storage.tensor) lines.push(typeText(storage.tensor));
  const bytes = storage.tensor ? storage.tensor.bytes : storage.bytes;
  const bounded = storage.tensor && storage.tensor.memory === 'bounded';
  lines.push((bounded ? 'at most ' : '') + bytesText(bytes) +
      ` at offset ${group(storage.offset)}`);
  lines.push(`live ${spanText(storage)}, ` +
      (storage.op === 'input' ? 'filled by you' : `made by ${storage.op}`));
  const partners = sharings.filter((meeting) =>
      meeting.output === storage.i || meeting.input === storage.i);
  for (const meeting of partners.slice(0, 3)) {
    const other =
        meeting.output === storage.i ? meeting.input : meeting.output;
    lines.push(`shares ${group(meeting.shared_bytes)} bytes with ` +
        `${storages[other].name} at step ${meeting.step}`);
  }
  return lines;
}

// The storages that are live at a step, the largest first.
function liveAt(step) {
  return drawn
      .filter((s) => s.first_step <= step && step <= s.last_step)
      .sort((a, b) => b.bytes - a.bytes || a.i - b.i);
}

// "32 KiB" and the like, as --budget reads it: K and KiB are 1024s, kB 1000s.
// NaN when it is none.
function parseBytes(text) {
  const form = /^\s*([\d.,_ ]*\d)\s*(?:b|bytes|([km])(ib|b)?)?\s*$/i;
  const match = form.exec(text);
  if (!match) return NaN;
  const number = Number(match[1].replace(/[,_ ]/g, ''));
  const base = (match[3] || '').toLowerCase() === 'b' ? 1000 : 1024;
  const power = {k: 1, m: 2}[(match[2] || '').toLowerCase()] || 0;
  return Math.floor(number * base ** power);
}

// An element with properties, attributes and children; texts stay texts.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') made.addEventListener('click', value);
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
