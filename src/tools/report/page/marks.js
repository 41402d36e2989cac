// What the pictures are drawn with: SVG elements, patterns, axes, legend.

function svgElement(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes || {})) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Each family has lines of its own, so that no colour is needed.
const familyMarks = {
  input: 'M0 8h8M8 0v8',
  convolution: '',
  matrix: 'M2 2h2v2h-2zM6 6h2v2h-2z',
  elementwise: 'M0 2h8M0 6h8',
  pooling: 'M2 0v8M6 0v8',
  movement: 'M0 5l4 -4l4 4',
  control: 'M1 4a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  other: 'M4 2v4M2 4h4',
  scratch: 'M0 8l8 -8',
};

function familyPattern(family) {
  const pattern = svgElement('pattern', {
    id: `p-${family.key}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse',
  });
  pattern.append(
      svgElement('rect', {width: 8, height: 8, class: `fill-${family.key}`}),
      svgElement('path', {d: familyMarks[family.key], class: 'mark'}));
  return pattern;
}

function definitions() {
  const defs = svgElement('defs');
  for (const family of families) defs.append(familyPattern(family));
  defs.append(svgElement('pattern', {
    id: 'p-shared', width: 6, height: 6, patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  }, svgElement('rect', {width: 6, height: 6, class: 'shared-ground'}),
  svgElement('path', {d: 'M0 0v6M3 0v6', class: 'shared-line'})));
  return defs;
}

function swatch(fill) {
  return svgElement('svg', {width: 22, height: 14, 'aria-hidden': 'true'},
      svgElement('rect', {
        x: .5, y: .5, width: 21, height: 13, fill, class: 'edge',
      }));
}

// The patterns of all pictures of the page, and the legend that explains them.
function drawLegend() {
  document.body.append(svgElement('svg',
      {width: 0, height: 0, class: 'definitions', 'aria-hidden': 'true'},
      definitions()));
  const used = new Set(drawn.map((storage) => storage.family));
  for (const family of families) {
    if (!used.has(family.key)) continue;
    $('legend').append(
        element('li', {}, swatch(`url(#p-${family.key})`), family.label));
  }
  if (sharings.length > 0) {
    $('legend').append(element('li', {}, swatch('url(#p-shared)'),
        'bytes that two tensors share'));
  }
}

// Round numbers, at most `most` of them, in [from, to]. Bytes count in powers
// of two, steps in 1, 2, 5, 10.
function ticks(from, to, most, binary) {
  let unit = 1;
  const next = binary ? [2] : [2, 2.5, 2];
  for (let i = 0; (to - from) / unit > most; ++i) unit *= next[i % next.length];
  const list = [];
  for (let at = Math.ceil(from / unit) * unit; at <= to; at += unit) {
    list.push(at);
  }
  return list;
}

const pen = document.createElement('canvas').getContext('2d');
const font = getComputedStyle(document.body).fontFamily;
const widths = new Map();
function widthOf(text, bold) {
  const key = (bold ? 'b' : 'n') + text;
  if (!widths.has(key)) {
    pen.font = `${bold ? 600 : 400} 11px ${font}`;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}
// As many letters of `text` as fit, with an ellipsis.
function fit(text, pixels, bold) {
  if (widthOf(text, bold) <= pixels) return text;
  let letters = Math.min(text.length - 1, Math.floor(pixels / 4));
  while (letters > 1 && widthOf(text.slice(0, letters) + '…', bold) > pixels) {
    --letters;
  }
  return letters < 3 ? '' : text.slice(0, letters) + '…';
}
