"""JavaScript that asks an open HTML report what it shows."""

NAMED_ROLES = {
    "button", "textbox", "searchbox", "listbox", "option", "img", "table",
    "columnheader", "heading", "complementary",
}


def number(step, end):
    """A step as the table shows it."""
    return "" if step is None else "end" if step >= end else str(step)


TEXT = "return document.querySelector(arguments[0]).innerText.trim()"
COUNT = "return document.querySelectorAll(arguments[0]).length"
FIGURES = """
return [...document.querySelectorAll('#figures strong')]
    .map((figure) => figure.textContent)
"""
# [percent, bytes] of each.
PEAK_ROWS = """
return [...document.querySelectorAll('#peak-list .row')].map((row) => [
  row.querySelector('.percent').textContent,
  row.querySelector('.bytes').textContent])
"""
# [index, name, bytes, offset, first, last]; opens the whole table.
ALL_ROWS = """
const more = document.getElementById('more');
if (!more.hidden) more.click();
return [...document.querySelectorAll('#tensors tbody tr')].map((row) => {
  const cells = [...row.cells].map((cell) => cell.textContent);
  return [Number(cells[0]), cells[1], cells[4], cells[5], cells[6], cells[7]];
})
"""
PLOT = """
const box = document.querySelector('#map .ground').getBBox();
return {x: box.x, y: box.y, w: box.width, h: box.height}
"""
# [storage, x, y, width, height] in the map's units.
BLOCKS = """
return [...document.querySelectorAll('#map .block')].map((block) => {
  const box = block.querySelector('rect').getBBox();
  return [Number(block.id.slice(1)), box.x, box.y, box.width, box.height];
})
"""
# Window coordinates of (columns, bytes at the top, step, address), after
# scrolling there.
POINT = """
const [columns, top, step, address] = arguments;
const ground = document.querySelector('#map .ground');
ground.scrollIntoView({block: 'center', behavior: 'instant'});
const box = ground.getBoundingClientRect();
return [box.left + box.width * (step + .5) / columns,
  box.top + box.height * (1 - address / top)]
"""
SEARCH = """
const search = document.getElementById('search');
search.value = arguments[0];
search.dispatchEvent(new Event('input'))
"""
SUBMIT_SEARCH = "document.getElementById('search-form').requestSubmit()"
# Milliseconds until the map is drawn anew.
CHANGE_VIEW = """
const [view, done] = arguments;
const start = performance.now();
document.querySelector(`[data-view=${view}]`).click();
requestAnimationFrame(() => requestAnimationFrame(
    () => done(performance.now() - start)))
"""
# How bright the page is, and the WCAG contrast of texts with what is behind.
CONTRASTS = """
const channels = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
const luminance = (color) => {
  const [r, g, b] = channels(color).map((value) => {
    const part = value / 255;
    return part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
  });
  return .2126 * r + .7152 * g + .0722 * b;
};
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + .05) / (low + .05);
};
const style = (selector) => getComputedStyle(document.querySelector(selector));
const page = style('body').backgroundColor;
const card = style('.figure').backgroundColor;
const contrasts = {
  'text': contrast(style('body').color, page),
  'notes': contrast(style('.note').color, card),
  'links': contrast(style('.link').color, page),
  'axis': contrast(style('#map .axis text').fill, card),
  'peak': contrast(style('#map .peak-text').fill, card),
};
const label = document.querySelector('#map .name');
for (const ground of document.querySelectorAll('pattern rect[class^=fill]')) {
  const ink = getComputedStyle(document.documentElement)
      .getPropertyValue('--block-ink').trim();
  const probe = document.createElement('i');
  probe.style.color = ink;
  document.body.append(probe);
  contrasts[ground.getAttribute('class')] = contrast(
      getComputedStyle(probe).color, getComputedStyle(ground).fill);
  probe.remove();
}
return {brightness: luminance(page), contrasts}
"""
