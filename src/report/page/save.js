/* A picture as a file, with its title and legend: PNG of what is seen, at twice its size; SVG of the whole picture; CSV of its numbers. */
const saveAs = (name, address) => Object.assign(document.createElement('a'), { download: name, href: address }).click();

const TEXT_STYLE = ['fill', 'font-size', 'font-family'];
const SHAPE_STYLE = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity'];
const HEAD = { left: 12, title: 24, row: 20, mark: 20, gap: 22 };

Object.assign(Plot.prototype, {
  makeSaving(legend) {
    const item = Object.assign(document.createElement('li'), { className: 'saving' });
    const what = { PNG: 'this picture as PNG', SVG: 'this picture as SVG', CSV: 'the numbers that are drawn' };
    for (const kind of ['PNG', 'SVG', 'CSV']) {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', className: 'save', textContent: kind, title: `save ${what[kind]}`, onclick: () => this['save' + kind]() });
      item.append(button);
    }
    legend.append(item);
  },

  title() {
    return this.figure.querySelector('h3')?.textContent || `${this.y.name} over ${this.x.name}`;
  },

  fileName(ending) {
    return this.title().replace(/[^\w]+/g, '-').replace(/^-|-$/g, '').toLowerCase() + ending;
  },

  /* where title and legend go, in pixels of the page: { x, y, s } for each curve, and the height of all */
  head(width, series) {
    const measure = document.createElement('canvas').getContext('2d'), entries = [];
    measure.font = fontOf(13);
    let x = HEAD.left, y = HEAD.title + HEAD.row - 6;
    for (const s of series) {
      const wide = HEAD.mark + 6 + measure.measureText(s.name).width;
      if (x > HEAD.left && x + wide > width - HEAD.left) x = HEAD.left, y += HEAD.row;
      entries.push({ x, y, s });
      x += wide + HEAD.gap;
    }
    return { entries, height: y + 8 };
  },

  savePNG() {
    const { chart } = this, { width, height } = chart, ratio = 2, head = this.head(width, [...this.visible()]);
    const copy = document.createElement('canvas'), ctx = copy.getContext('2d');
    Object.assign(copy, { width: ratio * width, height: ratio * (height + head.height) });
    ctx.fillStyle = ink('paper');
    ctx.fillRect(0, 0, copy.width, copy.height);
    ctx.save();
    ctx.scale(ratio, ratio);
    this.drawHead(ctx, head);
    ctx.restore();
    chart.setSize({ width, height }, ratio);
    chart.redraw();
    ctx.drawImage(chart.ctx.canvas, 0, ratio * head.height);
    chart.setSize({ width, height });
    chart.redraw();
    saveAs(this.fileName('.png'), copy.toDataURL('image/png'));
  },

  drawHead(ctx, head) {
    ctx.fillStyle = ink('ink');
    ctx.font = '600 ' + fontOf(15);
    ctx.fillText(this.title(), HEAD.left, HEAD.title - 4);
    ctx.font = fontOf(13);
    for (const { x, y, s } of head.entries) {
      ctx.fillStyle = ctx.strokeStyle = ink(s.colour);
      ctx.globalAlpha = s.style === 'band' ? 0.3 : s.style === 'wide' ? 0.4 : 1;
      ctx.lineWidth = s.style === 'wide' ? 6 : s.style === 'band' ? 11 : 2.5;
      ctx.setLineDash(s.style === 'dashed' ? [5, 3] : []);
      ctx.beginPath();
      if (s.style === 'points') ctx.arc(x + HEAD.mark / 2, y - 4, 4, 0, 7), ctx.fill();
      else ctx.moveTo(x, y - 4), ctx.lineTo(x + HEAD.mark, y - 4), ctx.stroke();
      ctx.globalAlpha = 1;
      ctx.setLineDash([]);
      ctx.fillStyle = ink('ink');
      ctx.fillText(s.name, x + HEAD.mark + 6, y);
    }
  },

  /* colours and strokes stand in the page's style: here they go into the picture itself */
  saveSVG() {
    const copy = this.still.cloneNode(true), [, , width, height] = copy.getAttribute('viewBox').split(' ').map(Number);
    this.view.append(copy); /* computed styles exist in the page only */
    for (const element of copy.querySelectorAll('*')) {
      const style = getComputedStyle(element), keys = element.tagName === 'text' ? TEXT_STYLE : SHAPE_STYLE;
      element.setAttribute('style', keys.map(key => `${key}:${style.getPropertyValue(key)}`).join(';'));
      element.removeAttribute('class');
    }
    copy.remove();
    const head = this.head(width, this.series);
    copy.insertAdjacentHTML('afterbegin', `<g transform="translate(0 ${-head.height})">${this.headSVG(head)}</g>`);
    const more = { xmlns: 'http://www.w3.org/2000/svg', width, height: height + head.height, style: `background:${ink('paper')}` };
    copy.setAttribute('viewBox', `0 ${-head.height} ${width} ${height + head.height}`);
    for (const [key, value] of Object.entries(more)) copy.setAttribute(key, value);
    saveAs(this.fileName('.svg'), 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(copy.outerHTML));
  },

  headSVG(head) {
    const safe = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`), font = `font-family:${safe(getComputedStyle(document.body).fontFamily)}`;
    const parts = [`<text x="${HEAD.left}" y="${HEAD.title - 4}" style="font-size:15px;font-weight:600;fill:${ink('ink')};${font}">${safe(this.title())}</text>`];
    for (const { x, y, s } of head.entries) {
      const colour = ink(s.colour), wide = s.style === 'wide' ? 6 : s.style === 'band' ? 11 : 2.5;
      parts.push(s.style === 'points' ? `<circle cx="${x + HEAD.mark / 2}" cy="${y - 4}" r="4" style="fill:${colour}"/>`
        : `<path d="M${x} ${y - 4}h${HEAD.mark}" style="stroke:${colour};stroke-width:${wide};opacity:${s.style === 'wide' ? 0.4 : s.style === 'band' ? 0.3 : 1};`
          + `stroke-dasharray:${s.style === 'dashed' ? '5 3' : 'none'}"/>`);
      parts.push(`<text x="${x + HEAD.mark + 6}" y="${y}" style="font-size:13px;fill:${ink('ink')};${font}">${safe(s.name)}</text>`);
    }
    return parts.join('');
  },

  /* a column for the x of each curve and one for its y; curves over the same x share it */
  saveCSV() {
    const quote = text => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const head = (name, unit) => quote(unit ? `${name} [${unit}]` : name), columns = [];
    const same = (a, b) => a && a.length === b.length && a.every((value, i) => value === b[i]);
    let last = null;
    for (const s of this.series) {
      if (!same(last, s.x)) columns.push([head(this.x.name || 'x', this.x.unit), last = s.x]);
      if (s.low) columns.push([head(s.name + ', low', this.y.unit), s.low]);
      columns.push([head(s.name || this.y.name, this.y.unit), s.y]);
    }
    const rows = Math.max(0, ...columns.map(([, values]) => values.length)), lines = [columns.map(([name]) => name).join(',')];
    for (let i = 0; i < rows; i++) lines.push(columns.map(([, v]) => (i < v.length && v[i] === v[i] ? String(v[i]) : '')).join(','));
    saveAs(this.fileName('.csv'), 'data:text/csv;charset=utf-8,' + encodeURIComponent(lines.join('\n') + '\n'));
  },
});
