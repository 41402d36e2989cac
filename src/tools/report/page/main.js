// Puts the page together.

function layout() {
  state.width = Math.max($('stage').clientWidth, 320);
  state.height = Math.max(Math.min(window.innerHeight * .62, 620), 320);
  redraw();
}

function start() {
  $('app').hidden = false;
  state.view = whole();
  drawSubtitle();
  drawFigures();
  drawLegend();
  drawPeak();
  drawAdvice();
  layout();
  startBudget();
  drawMap();
  drawCurve();
  showPanel();
  drawTable();
  listenToPointer();
  listenToKeys();
  for (const button of document.querySelectorAll('[data-view]')) {
    button.addEventListener('click', views[button.dataset.view]);
  }
  $('budget').addEventListener('input', drawBudget);
  $('search').addEventListener('input', search);
  $('search-form').addEventListener('submit', (event) => {
    event.preventDefault();
    selectNext();
  });
  $('more').addEventListener('click', () => {
    order.all = true;
    drawTable();
  });
  new ResizeObserver(layout).observe($('stage'));
}
start();
