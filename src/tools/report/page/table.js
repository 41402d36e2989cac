// The table of tensors, and the search that serves table and map.

const mostRows = 100;
const byName = (a, b) => a < b ? -1 : a > b ? 1 : 0;
const columns = [
  {key: 'index', label: 'tensor', of: (t) => t.index},
  {key: 'name', label: 'name', of: (t) => t.name, text: true},
  {key: 'op', label: 'made by', of: (t) => makerOf(t), text: true},
  {key: 'type', label: 'type and shape', of: (t) => typeText(t), text: true},
  {key: 'bytes', label: 'bytes', of: (t) => t.bytes,
    show: (t) => group(t.bytes)},
  {key: 'offset', label: 'offset', of: (t) => t.offset ?? -1,
    show: (t) => t.offset === null ? t.memory : group(t.offset)},
  {key: 'first', label: 'first', of: (t) => t.first_step ?? -1,
    show: (t) => t.first_step ?? ''},
  {key: 'last', label: 'last', of: (t) => t.last_step ?? -1,
    show: (t) => t.last_step === null ? '' :
      t.last_step >= steps.length ? 'end' : t.last_step},
  {key: 'role', label: 'role', of: (t) => roleOf(t), text: true},
];
const order = {column: columns[4], down: true, all: false};

function makerOf(tensor) {
  return tensor.writer_step === null ? '' : opOf(tensor.writer_step);
}
function roleOf(tensor) {
  const place = tensor.subgraph === 0 ? '' : `subgraph ${tensor.subgraph}`;
  return [usageOf(tensor), place].filter(Boolean).join(', ');
}
function usageOf(tensor) {
  return tensor.is_input ? 'input' : tensor.is_output ? 'output' :
      tensor.is_kept ? 'kept' : tensor.memory === 'arena' ? '' : tensor.memory;
}

function drawHead() {
  const cells = columns.map((column) => {
    const sorted = order.column === column;
    return element('th', {
      'scope': 'col', 'class': column.text ? '' : 'number',
      'aria-sort': sorted ? (order.down ? 'descending' : 'ascending') : 'none',
    }, element('button', {type: 'button', onclick: () => {
      order.down = sorted ? !order.down : !column.text;
      order.column = column;
      drawTable();
    }}, column.label, sorted ? (order.down ? ' ▾' : ' ▴') : ''));
  });
  $('tensors').tHead.replaceChildren(element('tr', {}, ...cells));
}

function rowOf(tensor) {
  const row = element('tr', {'data-tensor': tensor.index});
  if (tensor.storage !== null) row.dataset.storage = tensor.storage;
  for (const column of columns) {
    const value = column.show ? column.show(tensor) : column.of(tensor);
    const text = String(value);
    const named = column.key === 'name' && tensor.storage !== null;
    row.append(element('td', {class: column.text ? '' : 'number'},
        named ? link(storages[tensor.storage], text || '(no name)') : text));
  }
  return row;
}

function drawTable() {
  drawHead();
  const {column, down} = order;
  const compare = column.text ? byName : (a, b) => a - b;
  const list = tensors.filter((t) => matches(t)).sort((a, b) =>
    (down ? -1 : 1) * compare(column.of(a), column.of(b)) ||
    a.index - b.index);
  const shown = order.all ? list : list.slice(0, mostRows);
  $('tensors').tBodies[0].replaceChildren(...shown.map(rowOf));
  $('more').hidden = shown.length === list.length;
  $('more').textContent = `Show all ${group(list.length)}`;
  markRows();
}
function markRows() {
  for (const row of $('tensors').tBodies[0].rows) {
    const mine = state.selected >= 0 &&
        row.dataset.storage === String(state.selected);
    row.classList.toggle('selected', mine);
  }
}

let query = '';
function matches(tensor) {
  return query === '' || tensor.name.toLowerCase().includes(query) ||
      makerOf(tensor).toLowerCase().includes(query) ||
      String(tensor.index) === query;
}
function search() {
  query = $('search').value.trim().toLowerCase();
  state.matches = null;
  $('search-count').textContent = '';
  if (query !== '') {
    const found = tensors.filter((t) => matches(t));
    state.matches = new Set(found.map((t) => t.storage));
    $('search-count').textContent = `${group(found.length)} found`;
  }
  drawTable();
  redraw();
}
// Selects the next match in the order of time.
function selectNext() {
  const list = [...(state.matches || [])].filter((i) => i !== null)
      .sort((a, b) => storages[a].first_step - storages[b].first_step || a - b);
  if (list.length > 0) {
    select(list[(list.indexOf(state.selected) + 1) % list.length]);
  }
}
