/* What is drawn on the canvas of a picture. */
Object.assign(Plot.prototype, {
  /* from values to pixels of the canvas */
  mapper(key) {
    const { left, top, width, height } = this.chart.bbox, log = this[key].log;
    const [low, high] = this.shown[key].map(v => log ? Math.log10(v) : v);
    const start = key === 'x' ? left : top + height, factor = (key === 'x' ? width : -height) / (high - low);
    return log ? v => start + (Math.log10(v) - low) * factor : v => start + (v - low) * factor;
  },

  /* spans lie below the grid, curves above it */
  draw(ctx, box, drawGrid) {
    const { left, top, width, height } = box, x = this.mapper('x'), y = this.mapper('y');
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.lineJoin = ctx.lineCap = 'round';
    ctx.fillStyle = ink('span');
    for (let i = 0; i < this.spans.length; i += 2)
      ctx.fillRect(x(this.spans[i]), top, Math.max(1, x(this.spans[i + 1]) - x(this.spans[i])), height);
    drawGrid();
    this.drawMarks(ctx, x, y, box);
    for (const s of this.visible()) this.drawSeries(ctx, s, x, y);
    ctx.restore();
  },

  drawSeries(ctx, s, x, y) {
    const [begin, end] = this.range(s, this.shown.x), ratio = this.chart.ratio, dot = (end - begin < 200 ? 3 : 2) * ratio;
    const empty = i => s.y[i] !== s.y[i];
    ctx.strokeStyle = ctx.fillStyle = ink(s.colour);
    ctx.lineWidth = (s.style === 'wide' ? 5 : 1.5) * ratio;
    ctx.setLineDash(s.style === 'dashed' ? [7 * ratio, 5 * ratio] : []);
    ctx.globalAlpha = s.style === 'band' ? 0.22 : s.style === 'wide' ? 0.4 : 1;
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
        ctx.moveTo(px + dot, py);
        ctx.arc(px, py, dot, 0, 7);
      } else if (drawing) {
        if (s.style === 'steps') ctx.lineTo(px, y(s.y[i - 1]));
        ctx.lineTo(px, py);
      } else {
        ctx.moveTo(px, py);
        if (i + 1 === s.x.length || empty(i + 1)) ctx.arc(px, py, 1.5 * ratio, 0, 7); /* alone between gaps: a dot */
        drawing = true;
      }
    }
    if (s.style === 'points') ctx.fill();
    else ctx.stroke();
  },

  drawMarks(ctx, x, y, { left, top, width, height }) {
    const { ratio } = this.chart, { marks } = this;
    ctx.strokeStyle = ink('quiet');
    ctx.lineWidth = ratio;
    ctx.setLineDash([4 * ratio, 3 * ratio]);
    ctx.beginPath();
    for (const { axis, at } of marks) {
      ctx.moveTo(axis === 'x' ? x(at) : left, axis === 'x' ? top : y(at));
      ctx.lineTo(axis === 'x' ? x(at) : left + width, axis === 'x' ? top + height : y(at));
    }
    ctx.stroke();
    this.drawLabels(ctx, x, y, marks, left, left + width, top);
  },

  /* labels go into three rows, and those without room are left out */
  drawLabels(ctx, x, y, marks, left, right, top) {
    const ratio = this.chart.ratio, busy = [-1e9, -1e9, -1e9];
    ctx.font = fontOf(11 * ratio);
    ctx.textBaseline = 'bottom';
    ctx.setLineDash([]);
    ctx.lineWidth = 3 * ratio;
    ctx.strokeStyle = ink('paper');
    ctx.fillStyle = ink('quiet');
    for (const { axis, at, label } of marks) {
      const across = axis === 'y', px = across ? right : x(at), wide = ctx.measureText(label).width;
      const flip = across || px + wide + 6 * ratio > right, start = flip ? px - 4 * ratio : px + 4 * ratio;
      const row = across ? 0 : busy.findIndex(end => end < start - (flip ? wide : 0));
      if (row < 0 || px < left || px > right) continue;
      const base = across ? y(at) - 2 * ratio : top + (14 + 13 * row) * ratio;
      ctx.textAlign = flip ? 'right' : 'left';
      ctx.strokeText(label, start, base); /* a rim that keeps it readable on top of lines */
      ctx.fillText(label, start, base);
      if (!across) busy[row] = start + (flip ? 0 : wide) + 6 * ratio;
    }
  },
});
