/* Brings the pictures of a report to life. uPlot makes axes, cursor and selection; the curves are drawn here, because they
 * may cross back on themselves and each has its own x values. */
(() => {
  'use strict';

  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const minus = text => text.replace(/-/g, '\u2212');

  /* ---- numbers ---- */

  const raised = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
  const superscript = power => [...String(power)].map(c => c === '-' ? '\u207b' : raised[c]).join('');

  const scientific = (value, digits) => {
    const [mantissa, power] = value.toExponential(digits).split('e');
    return (mantissa === '1' ? '' : minus(mantissa) + '\u00b7') + '10' + superscript(+power);
  };

  const readable = value => {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e7)) return scientific(value, 3);
    return minus(value.toFixed(clamp(size ? 3 - Math.floor(Math.log10(size)) : 0, 0, 8)));
  };

  /* digits enough to tell pixels apart */
  const resolved = (value, span) => Math.abs(value) >= 1e7 || span < 1e-9
    ? scientific(value, 3)
    : minus(value.toFixed(clamp(Math.ceil(3 - Math.log10(span)), 0, 12)));

  const tickTexts = (ticks, step) => {
    const power = Math.floor(Math.log10(step) + 1e-9);
    const decimals = Math.max(0, step / 10 ** power > 2.4 && step / 10 ** power < 2.6 ? 1 - power : -power);
    const plain = tick => minus(tick.toFixed(Math.min(decimals, 12))).replace(/^\u2212(0(\.0*)?)$/, '$1');
    return ticks.map(tick => Math.abs(tick) >= 1e7 ? scientific(tick, 2) : plain(tick));
  };

  const logTicks = (low, high, about) => {
    const from = Math.log10(low), to = Math.log10(high), ticks = [];
    const every = Math.max(1, Math.ceil((to - from) / about));
    const parts = to - from < about / 3 ? (to - from < 1 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 5]) : [1];
    for (let power = every * Math.floor(from / every); power <= to; power += every)
      for (const part of parts) ticks.push(part * 10 ** power);
    return ticks.filter(tick => tick >= low * 0.999 && tick <= high * 1.001);
  };
  const logText = tick => tick >= 0.01 && tick < 1e4 ? String(+tick.toPrecision(3)) : scientific(tick, 0);

  const unitAfter = unit => unit && (unit[0] === '\u00d7' ? '\u2009' : '\u00a0') + unit;

  /* ---- data ---- */

  const decode = ([bits, text]) => {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return bits === 32 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  };

  /* the first index whose x is not below the value */
  const lowerBound = (x, value) => {
    let low = 0, high = x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const spanOf = (log, share, visit) => {
    let low = Infinity, high = -Infinity;
    visit(value => {
      if (value < low) low = value;
      if (value > high) high = value;
    });
    if (!(low <= high)) return log ? [1, 10] : [0, 1];
    if (log) {
      const more = Math.max(share * Math.log10(high / low), low === high ? 0.5 : 0);
      return [low / 10 ** more, high * 10 ** more];
    }
    const size = Math.max(Math.abs(low), Math.abs(high));
    const more = high - low > 1e-12 * size ? share * (high - low) : 0.1 * size || 1;
    return [low - more, high + more];
  };

  /* ---- a plot ---- */

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
          : { values: (u, ticks, i, space, step) => tickTexts(ticks, step) }),
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

    /* ---- drawing ---- */

    /* from values to pixels of the canvas */
    mapper(key) {
      const { left, top, width, height } = this.chart.bbox, log = this[key].log;
      const [low, high] = this.shown[key].map(v => log ? Math.log10(v) : v);
      const start = key === 'x' ? left : top + height, factor = (key === 'x' ? width : -height) / (high - low);
      return log ? v => start + (Math.log10(v) - low) * factor : v => start + (v - low) * factor;
    }

    draw(u) {
      const { ctx } = u, { left, top, width, height } = u.bbox;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, width, height);
      ctx.clip();
      ctx.lineJoin = ctx.lineCap = 'round';
      const x = this.mapper('x'), y = this.mapper('y');
      this.drawMarks(ctx, x, y, u.bbox);
      for (const s of this.visible()) this.drawSeries(ctx, s, x, y);
      ctx.restore();
    }

    drawSeries(ctx, s, x, y) {
      const [begin, end] = this.range(s, this.shown.x), dpr = uPlot.pxRatio;
      const empty = i => s.y[i] !== s.y[i];
      ctx.strokeStyle = ctx.fillStyle = ink(s.colour);
      ctx.lineWidth = 1.5 * dpr;
      ctx.setLineDash(s.style === 'dashed' ? [7 * dpr, 5 * dpr] : []);
      ctx.globalAlpha = s.style === 'band' ? 0.22 : 1;
      ctx.beginPath();
      if (s.style === 'band') {
        for (let i = begin; i < end; i++) {
          const first = i;
          for (; i < end && !empty(i); i++) ctx[i === first ? 'moveTo' : 'lineTo'](x(s.x[i]), y(s.y[i]));
          for (let k = i - 1; k >= first; k--) ctx.lineTo(x(s.x[k]), y(s.low[k]));
        }
        return ctx.fill();
      }
      let drawing = false;
      for (let i = begin; i < end; i++) {
        if (empty(i)) {
          drawing = false;
          continue;
        }
        const px = x(s.x[i]), py = y(s.y[i]);
        if (s.style === 'points') {
          ctx.moveTo(px + 2 * dpr, py);
          ctx.arc(px, py, 2 * dpr, 0, 7);
        } else if (drawing) {
          if (s.style === 'steps') ctx.lineTo(px, y(s.y[i - 1]));
          ctx.lineTo(px, py);
        } else {
          ctx.moveTo(px, py);
          if (i + 1 === s.x.length || empty(i + 1)) ctx.arc(px, py, 1.5 * dpr, 0, 7); /* alone between gaps: a dot */
          drawing = true;
        }
      }
      if (s.style === 'points') ctx.fill();
      else ctx.stroke();
    }

    drawMarks(ctx, x, y, { left, top, width, height }) {
      const dpr = uPlot.pxRatio, { marks } = this;
      ctx.strokeStyle = ink('quiet');
      ctx.lineWidth = dpr;
      ctx.setLineDash([4 * dpr, 3 * dpr]);
      ctx.beginPath();
      for (const { axis, at } of marks) {
        ctx.moveTo(axis === 'x' ? x(at) : left, axis === 'x' ? top : y(at));
        ctx.lineTo(axis === 'x' ? x(at) : left + width, axis === 'x' ? top + height : y(at));
      }
      ctx.stroke();
      this.drawLabels(ctx, x, y, marks, left, left + width, top);
    }

    /* labels go into three rows, and those without room are left out */
    drawLabels(ctx, x, y, marks, left, right, top) {
      const dpr = uPlot.pxRatio, busy = [-1e9, -1e9, -1e9];
      ctx.font = fontOf(11 * dpr);
      ctx.textBaseline = 'bottom';
      ctx.setLineDash([]);
      ctx.lineWidth = 3 * dpr;
      ctx.strokeStyle = ink('paper');
      ctx.fillStyle = ink('quiet');
      for (const { axis, at, label } of marks) {
        const across = axis === 'y', px = across ? right : x(at), wide = ctx.measureText(label).width;
        const flip = across || px + wide + 6 * dpr > right, start = flip ? px - 4 * dpr : px + 4 * dpr;
        const row = across ? 0 : busy.findIndex(end => end < start - (flip ? wide : 0));
        if (row < 0 || px < left || px > right) continue;
        const base = across ? y(at) - 2 * dpr : top + (14 + 13 * row) * dpr;
        ctx.textAlign = flip ? 'right' : 'left';
        ctx.strokeText(label, start, base); /* a rim that keeps it readable on top of lines */
        ctx.fillText(label, start, base);
        if (!across) busy[row] = start + (flip ? 0 : wide) + 6 * dpr;
      }
    }

    /* ---- legend and values under the cursor ---- */

    makeLegend() {
      const legend = this.figure.querySelector('.legend');
      [...legend.children].forEach((item, k) => {
        const s = this.series[k], button = document.createElement('button');
        Object.assign(button, { type: 'button', title: 'show or hide' });
        button.append(...item.childNodes);
        button.setAttribute('aria-pressed', 'true');
        button.addEventListener('click', () => {
          s.show = !s.show;
          button.setAttribute('aria-pressed', s.show);
          item.classList.toggle('off', !s.show);
          this.fit();
        });
        s.output = document.createElement('output');
        item.append(button, s.output);
      });
      const at = document.createElement('li');
      at.className = 'at';
      this.at = at.appendChild(document.createElement('output'));
      legend.append(at);
      this.reset = document.createElement('button');
      Object.assign(this.reset, { type: 'button', className: 'reset', textContent: 'Whole', hidden: true, onclick: () => this.zoom(null) });
      legend.append(this.reset);
    }

    makeDots() {
      for (const s of this.series) {
        s.dot = document.createElement('div');
        s.dot.className = 'dot ' + s.colour;
        s.dot.hidden = true;
        this.chart.over.append(s.dot);
      }
    }

    hover(u) {
      const { left, top } = u.cursor, inside = left >= 0 && top >= 0;
      if (!this.time) return this.showNearest(inside ? left : -1, top);
      const value = inside ? u.posToVal(left, 'x') : null;
      this.showAt(value);
      for (const plot of plots) {
        if (!this.group || plot === this || plot.group !== this.group || !plot.chart) continue;
        plot.chart.setCursor({ left: inside ? plot.chart.valToPos(value, 'x') : -10, top: inside ? 0 : -10 }, false);
        plot.showAt(value);
      }
    }

    /* values of every curve at a time: the nearest sample, or the one held */
    showAt(value) {
      for (const s of this.series) {
        let i = value === null || !s.show || !s.x.length ? -1 : clamp(lowerBound(s.x, value), 0, s.x.length - 1);
        if (i > 0 && s.x[i] > value && (s.style === 'steps' || value - s.x[i - 1] < s.x[i] - value)) i--;
        this.point(s, i);
      }
      this.at.textContent = value === null ? '' : `${this.x.name} = ${this.valueText('x', value)}`;
    }

    /* the nearest sample of any curve on the screen */
    showNearest(left, top) {
      const dpr = uPlot.pxRatio, box = this.chart.bbox, x = this.mapper('x'), y = this.mapper('y');
      const px = left * dpr + box.left, py = top * dpr + box.top;
      let best = Infinity, found = null, index = -1;
      if (left >= 0)
        for (const s of this.visible())
          for (let i = 0; i < s.x.length; i++) {
            const distance = (x(s.x[i]) - px) ** 2 + (y(s.y[i]) - py) ** 2;
            if (distance < best) best = distance, found = s, index = i;
          }
      for (const s of this.series) this.point(s, s === found ? index : -1);
      this.at.textContent = found ? `${this.x.name} = ${this.valueText('x', found.x[index])}` : '';
    }

    numberText(key, value) {
      return this[key].log ? readable(value) : resolved(value, this.shown[key][1] - this.shown[key][0]);
    }

    valueText(key, value) {
      return this.numberText(key, value) + unitAfter(this[key].unit);
    }

    point(s, i) {
      const there = i >= 0 && s.y[i] === s.y[i];
      const from = there && s.low ? this.numberText('y', s.low[i]) + ' \u2026 ' : '';
      s.output.textContent = there ? from + this.valueText('y', s.y[i]) : '';
      const left = there ? this.chart.valToPos(s.x[i], 'x') : -1, top = there ? this.chart.valToPos(s.y[i], 'y') : -1;
      const { clientWidth, clientHeight } = this.chart.over;
      s.dot.hidden = !(left >= 0 && top >= 0 && left <= clientWidth && top <= clientHeight);
      Object.assign(s.dot.style, { left: left + 'px', top: top + 'px' });
    }
  }

  /* ---- the page ---- */

  const createAll = () => {
    for (const part of document.querySelectorAll('details')) part.open = true; /* what is folded has no size */
    plots.forEach(plot => plot.create());
  };
  const redrawAll = () => plots.forEach(plot => plot.chart && plot.chart.redraw(false));
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

  makeTheme();
  if (typeof uPlot !== 'undefined') makePlots();

  /* for tests and for scripts that take pictures: draws every plot now and waits until it is on the screen */
  window.bristleReady = () => {
    createAll();
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(plots.length))));
  };
})();
