/* A picture brought to life: uPlot makes axes, cursor and selection; the curves are drawn in draw.js, because they may
 * cross back on themselves and each has its own x values. */
const plots = [], groups = new Map();
const ink = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const fontOf = size => size + 'px ' + getComputedStyle(document.body).fontFamily;

class Plot {
  constructor(figure) {
    this.figure = figure;
    this.view = figure.querySelector('.view');
    this.group = figure.dataset.group;
  }

  /* from the static picture to the live one */
  create() {
    if (this.chart) return;
    Object.assign(this, JSON.parse(this.figure.querySelector('script').textContent));
    this.series.forEach((s, k) => {
      for (const key of ['x', 'y', 'low']) if (s[key]) s[key] = decode(s[key]);
      s.show = true;
      s.colour = 'c' + k % 7;
    });
    this.marks = this.marks.filter(m => m.at !== null && (m.at > 0 || !this[m.axis].log));
    this.time = this.kind === 'time';
    this.window = this.time && this.group && groups.get(this.group).window;
    this.makeLegend();
    const options = this.options();
    this.still = this.view.querySelector('svg');
    this.view.textContent = '';
    this.chart = new uPlot(options, [null, [[], []]], this.view);
    this.makeDots();
    this.makeKeys();
    this.fit();
    new ResizeObserver(() => this.resize()).observe(this.view);
  }

  size() {
    const width = this.view.clientWidth;
    const share = this.equal ? 0.667 : this.figure.matches('.half') ? 0.6 : 0.34; /* as the static picture has it */
    return { width, height: clamp(Math.round(width * share), 260, this.equal ? 480 : 360) };
  }

  resize() {
    const { width, height } = this.size();
    if (!width || (width === this.chart.width && height === this.chart.height)) return;
    this.chart.setSize({ width, height });
    this.fit();
  }

  options() {
    const axis = (key, side) => ({
      label: this[key].label || ' ', labelSize: 20, labelGap: side ? 2 : 0, side: side ? 3 : 2, scale: key,
      stroke: () => ink('quiet'), font: fontOf(12), labelFont: fontOf(12), gap: 5,
      grid: { stroke: () => ink('grid'), width: 1 }, ticks: { show: false },
      space: side ? 36 : (u, i, low, high) => this.x.log ? 50 : 30 + 7 * resolved(high, 100 * (high - low)).length,
      size: side ? (u, texts) => 14 + 6.8 * Math.max(4, ...(texts || []).map(t => t.length)) : 26,
      ...(this[key].log
        ? { splits: (u, i, low, high) => logTicks(low, high, side ? 7 : 9), filter: (u, t) => t, values: (u, t) => t.map(logText) }
        : { incrs: ROUND_STEPS, values: (u, ticks, i, space, step) => tickTexts(ticks, step) }),
    });
    const scale = key => ({ time: false, auto: true, distr: this[key].log ? 3 : 1, range: () => this.shown[key] });
    this.shown = this.wanted();
    return {
      ...this.size(), mode: 2, legend: { show: false }, padding: [8, 16, 0, 0], pxAlign: 0,
      scales: { x: scale('x'), y: scale('y') },
      axes: [axis('x', 0), axis('y', 1)],
      series: [null, { facets: [{ scale: 'x', auto: true }, { scale: 'y', auto: true }], paths: () => null }],
      cursor: {
        y: !this.time, points: { show: false }, bind: { dblclick: () => () => this.zoom(null) },
        drag: { x: true, y: !this.time, setScale: false, dist: 5, uni: this.time ? null : 20 },
      },
      hooks: {
        draw: [u => this.draw(u)],
        setCursor: [u => this.hover(u)],
        setSelect: [u => this.select(u)],
      },
    };
  }

  /* ---- what is seen ---- */

  *visible() {
    for (const s of this.series) if (s.show) yield s;
  }

  /* the samples of a time plot in the window, with one more at each end */
  range(s, window) {
    if (!this.time) return [0, s.x.length];
    return [Math.max(0, lowerBound(s.x, window[0]) - 1), Math.min(s.x.length, lowerBound(s.x, window[1]) + 2)];
  }

  wanted() {
    if (!this.time && this.window) return this.window;
    const marks = key => this.marks.filter(m => m.axis === key).map(m => m.at);
    const whole = this.time && this.group && groups.get(this.group).whole;
    const x = (this.time && this.window) || spanOf(this.x.log, this.time ? 0 : 0.04, take => {
      for (const s of this.visible())
        for (let i = 0; i < s.x.length; i++) if (this.time || s.y[i] === s.y[i]) take(s.x[i]);
      marks('x').forEach(take);
      if (whole) whole.forEach(take);
    });
    const y = spanOf(this.y.log, 0.06, take => {
      for (const s of this.visible()) {
        const [begin, end] = this.range(s, x);
        for (let i = begin; i < end; i++) {
          take(s.y[i]);
          if (s.low && s.y[i] === s.y[i]) take(s.low[i]);
        }
      }
      if (!this.window) marks('y').forEach(take);
    });
    return { x, y };
  }

  fit() {
    const wanted = this.wanted(), { width, height } = this.chart.bbox;
    if (this.equal && width && height) {
      const across = (wanted.x[1] - wanted.x[0]) / width, up = (wanted.y[1] - wanted.y[0]) / height;
      const grow = ([low, high], factor) => [low, high].map(end => (low + high) / 2 + factor * (end - (low + high) / 2));
      if (across < up) wanted.x = grow(wanted.x, up / across);
      else wanted.y = grow(wanted.y, across / up);
    }
    this.shown = wanted;
    this.chart.batch(() => this.chart.setScale('x', { min: wanted.x[0], max: wanted.x[1] }));
    this.reset.hidden = !this.window;
  }

  /* a new window: [from, to] of a time plot, {x, y} of another; null is everything. A group moves together. */
  zoom(window) {
    if (this.time && this.group) {
      groups.get(this.group).window = window;
      for (const plot of plots) if (plot.group === this.group && plot.chart) plot.window = window, plot.fit();
    } else {
      this.window = window;
      this.fit();
    }
  }

  select(u) {
    const { left, top, width, height } = u.select;
    if (width <= 0 || height <= 0) return;
    const x = [left, left + width].map(place => u.posToVal(place, 'x'));
    const y = [top + height, top].map(place => u.posToVal(place, 'y'));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const fine = ([low, high]) => high - low > 1e-11 * Math.max(Math.abs(low), Math.abs(high));
    if (fine(x) && fine(y)) this.zoom(this.time ? x : { x, y });
  }

  /* zooms by a factor around the middle, or moves by a share of the width */
  step(factor, move) {
    const change = key => {
      const log = this[key].log, [low, high] = this.shown[key].map(v => log ? Math.log10(v) : v);
      const middle = (low + high) / 2 + (key === 'x' ? move * (high - low) : 0), half = factor * (high - low) / 2;
      return [middle - half, middle + half].map(v => log ? 10 ** v : v);
    };
    this.zoom(this.time ? change('x') : { x: change('x'), y: change('y') });
  }

  makeKeys() {
    const keys = { '+': [0.7, 0], '=': [0.7, 0], '-': [1 / 0.7, 0], ArrowLeft: [1, -0.15], ArrowRight: [1, 0.15] };
    this.view.tabIndex = 0;
    this.view.setAttribute('role', 'group');
    this.view.setAttribute('aria-label', 'Picture: + and - zoom, arrows move, 0 goes back');
    this.view.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '0' || event.key === 'Escape') this.zoom(null);
      else if (keys[event.key]) this.step(...keys[event.key]);
      else return;
      event.preventDefault();
    });
  }
}
