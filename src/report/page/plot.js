/* A picture brought to life: what of its data is seen. */
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
    this.still = this.view.querySelector('svg');
    this.view.textContent = '';
    this.shown = this.wanted();
    this.chart = new Chart(this, this.size());
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
    this.shown = this.wanted();
    if (this.equal) this.makeEqual();
    this.chart.redraw();
    this.reset.hidden = !this.window;
  }

  /* grows the shorter side until a unit is as long across as up */
  makeEqual() {
    this.chart.layout(this.shown);
    const { width, height } = this.chart.bbox, { x, y } = this.shown;
    const across = (x[1] - x[0]) / width, up = (y[1] - y[0]) / height;
    const grow = ([low, high], factor) => [low, high].map(end => (low + high) / 2 + factor * (end - (low + high) / 2));
    this.shown = across < up ? { x: grow(x, up / across), y } : { x, y: grow(y, across / up) };
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

  select(x, y) {
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
