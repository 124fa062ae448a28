/* The legend of a picture, and the values under the cursor. */
Object.assign(Plot.prototype, {
  makeLegend() {
    const legend = this.figure.querySelector('.legend');
    [...legend.children].slice(0, this.series.length).forEach((item, k) => {
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
    const back = document.createElement('li');
    back.append(this.reset);
    legend.append(back);
    this.makeSaving(legend);
  },

  makeDots() {
    for (const s of this.series) {
      s.dot = document.createElement('div');
      s.dot.className = 'dot ' + s.colour;
      s.dot.hidden = true;
      this.chart.over.append(s.dot);
    }
  },

  hover(chart) {
    const { left, top } = chart.cursor, inside = left >= 0 && top >= 0;
    if (!this.time) return this.showNearest(inside ? left : -1, top);
    const value = inside ? chart.posToVal(left, 'x') : null;
    this.showAt(value);
    for (const plot of plots) {
      if (!this.group || plot === this || plot.group !== this.group || !plot.chart) continue;
      plot.chart.setCursor({ left: inside ? plot.chart.valToPos(value, 'x') : -10, top: inside ? 0 : -10 });
      plot.showAt(value);
    }
  },

  /* values of every curve at a time: the nearest sample, or the one held */
  showAt(value) {
    for (const s of this.series) {
      let i = value === null || !s.show || !s.x.length ? -1 : clamp(lowerBound(s.x, value), 0, s.x.length - 1);
      if (i > 0 && s.x[i] > value && (s.style === 'steps' || value - s.x[i - 1] < s.x[i] - value)) i--;
      this.point(s, i);
    }
    this.at.textContent = value === null ? '' : `${this.x.name} = ${this.valueText('x', value)}`;
  },

  /* the nearest sample of every curve; x is that of the nearest of all */
  showNearest(left, top) {
    const { ratio, bbox: box } = this.chart, x = this.mapper('x'), y = this.mapper('y');
    const px = left * ratio + box.left, py = top * ratio + box.top;
    let least = Infinity, text = '';
    for (const s of this.series) {
      let best = Infinity, index = -1;
      for (let i = 0; left >= 0 && s.show && i < s.x.length; i++) {
        const distance = (x(s.x[i]) - px) ** 2 + (y(s.y[i]) - py) ** 2;
        if (distance < best) best = distance, index = i;
      }
      this.point(s, index);
      if (best < least) least = best, text = `${this.x.name} = ${this.valueText('x', s.x[index])}`;
    }
    this.at.textContent = text;
  },

  numberText(key, value) {
    return this[key].log ? readable(value) : resolved(value, this.shown[key][1] - this.shown[key][0]);
  },

  valueText(key, value) {
    return this.numberText(key, value) + unitAfter(this[key].unit);
  },

  point(s, i) {
    const there = i >= 0 && s.y[i] === s.y[i];
    const from = there && s.low ? this.numberText('y', s.low[i]) + ' \u2026 ' : '';
    s.output.textContent = there ? from + this.valueText('y', s.y[i]) : '';
    const left = there ? this.chart.valToPos(s.x[i], 'x') : -1, top = there ? this.chart.valToPos(s.y[i], 'y') : -1;
    const { clientWidth, clientHeight } = this.chart.over;
    s.dot.hidden = !(left >= 0 && top >= 0 && left <= clientWidth && top <= clientHeight);
    Object.assign(s.dot.style, { left: left + 'px', top: top + 'px' });
  },
});
