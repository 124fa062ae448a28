/* The page: theme, print, and when pictures come to life. */
const createAll = () => {
  for (const part of document.querySelectorAll('details')) part.open = true; /* what is folded has no size */
  plots.forEach(plot => plot.create());
};
const redrawAll = () => plots.forEach(plot => plot.chart && plot.chart.redraw());
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme || (prefersDark.matches ? 'dark' : 'light')) === 'dark';

const setTheme = theme => {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  document.getElementById('theme').textContent = isDark() ? 'Light' : 'Dark';
  redrawAll();
};

const makeTheme = () => {
  const button = document.getElementById('theme');
  button.hidden = false;
  button.addEventListener('click', () => setTheme(isDark() ? 'light' : 'dark'));
  prefersDark.addEventListener('change', () => setTheme(document.documentElement.dataset.theme));
  setTheme(null);
};

/* paper is white and narrower than most screens */
const makePrint = () => {
  let theme = null;
  addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme || null;
    createAll();
    setTheme('light');
    for (const { chart, figure } of plots)
      chart.setSize({ width: Math.min(chart.width, figure.matches('.half') ? 320 : 680), height: chart.height });
    plots.forEach(plot => plot.fit());
  });
  addEventListener('afterprint', () => {
    setTheme(theme);
    plots.forEach(plot => plot.resize());
  });
};

const makePlots = () => {
  for (const figure of document.querySelectorAll('figure.plot')) {
    const plot = new Plot(figure), { group, from, to } = figure.dataset;
    plots.push(plot);
    if (!group) continue;
    if (!groups.has(group)) groups.set(group, { window: null, whole: [Infinity, -Infinity] });
    const { whole } = groups.get(group);
    whole[0] = Math.min(whole[0], +from);
    whole[1] = Math.max(whole[1], +to);
  }
  const near = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) plots.find(plot => plot.figure === entry.target).create();
  }, { rootMargin: '600px' });
  plots.forEach(plot => near.observe(plot.figure));
  makePrint();
};

/* the contents show the first picture of each section in small */
const makeThumbs = () => {
  for (const link of document.querySelectorAll('.thumbs a')) {
    const svg = document.getElementById(link.hash.slice(1))?.querySelector('figure svg');
    if (!svg) continue;
    const small = svg.cloneNode(true);
    small.removeAttribute('role');
    small.removeAttribute('aria-label');
    small.setAttribute('aria-hidden', 'true');
    small.setAttribute('preserveAspectRatio', 'none');
    link.prepend(small);
  }
};

/* a cell of a map becomes the command that runs it, selected to be copied */
const makePicks = () => {
  for (const pick of document.querySelectorAll('.pick')) {
    let table = pick.previousElementSibling;
    while (!table.matches('.scroll')) table = table.previousElementSibling;
    const names = [...table.querySelectorAll('thead tr, tfoot tr')].at(-1).cells, at = cell => cell.dataset.at ?? cell.textContent;
    pick.hidden = false;
    table.classList.add('picks');
    table.addEventListener('click', ({ target }) => {
      const cell = target.closest('tbody td');
      if (!cell) return;
      const code = document.createElement('code');
      code.textContent = pick.dataset.command.replace('{x}', at(names[cell.cellIndex])).replace('{y}', at(cell.parentNode.cells[0]));
      pick.replaceChildren('This run: ', code);
      getSelection().selectAllChildren(code);
    });
  }
};

makeTheme();
makePicks();
makeThumbs();
makePlots();

/* for tests and for scripts that take pictures: draws every plot now and waits until it is on the screen */
window.bristleReady = () => {
  createAll();
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(plots.length))));
};
