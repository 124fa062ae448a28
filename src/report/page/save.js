/* A picture as a file: PNG of what is seen, SVG of the whole picture. */
const saveAs = (name, address) => Object.assign(document.createElement('a'), { download: name, href: address }).click();

const TEXT_STYLE = ['fill', 'font-size', 'font-family'];
const SHAPE_STYLE = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity'];

Object.assign(Plot.prototype, {
  makeSaving(legend) {
    const item = Object.assign(document.createElement('li'), { className: 'saving' });
    for (const [kind, save] of [['PNG', () => this.savePng()], ['SVG', () => this.saveSvg()]]) {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', className: 'save', textContent: kind, title: `save this picture as ${kind}`, onclick: save });
      item.append(button);
    }
    legend.append(item);
  },

  fileName(ending) {
    const title = this.figure.querySelector('h3')?.textContent || `${this.y.name} over ${this.x.name}`;
    return title.replace(/[^\w]+/g, '-').replace(/^-|-$/g, '').toLowerCase() + ending;
  },

  savePng() {
    const { canvas } = this.chart.ctx, copy = document.createElement('canvas'), ctx = copy.getContext('2d');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    ctx.fillStyle = ink('paper');
    ctx.fillRect(0, 0, copy.width, copy.height);
    ctx.drawImage(canvas, 0, 0);
    saveAs(this.fileName('.png'), copy.toDataURL('image/png'));
  },

  /* colours and strokes stand in the page's style: here they go into the picture itself */
  saveSvg() {
    const copy = this.still.cloneNode(true), [, , width, height] = copy.getAttribute('viewBox').split(' ');
    this.view.append(copy); /* computed styles exist in the page only */
    for (const element of copy.querySelectorAll('*')) {
      const style = getComputedStyle(element), keys = element.tagName === 'text' ? TEXT_STYLE : SHAPE_STYLE;
      element.setAttribute('style', keys.map(key => `${key}:${style.getPropertyValue(key)}`).join(';'));
      element.removeAttribute('class');
    }
    copy.remove();
    const more = { xmlns: 'http://www.w3.org/2000/svg', width, height, style: `background:${ink('paper')}` };
    for (const [key, value] of Object.entries(more)) copy.setAttribute(key, value);
    saveAs(this.fileName('.svg'), 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(copy.outerHTML));
  },
});
