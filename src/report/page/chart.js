/* The frame of a picture: axes, cursor and selection, on one canvas with one layer over its plotting area. Places are pixels
 * of that area from its upper left corner; `bbox` is the area in pixels of the canvas. */
const LABEL = 20, TICKS = 26, TOP = 8, RIGHT = 16, CLICK = 5, NARROW = 20;

class Chart {
  constructor(plot, size) {
    this.plot = plot;
    const part = (name, parent) => {
      const element = document.createElement(name === 'canvas' ? name : 'div');
      element.className = name;
      return parent.appendChild(element);
    };
    this.ctx = part('canvas', plot.view).getContext('2d');
    this.over = part('over', plot.view);
    this.lines = [part('line-x', this.over), part('line-y', this.over)];
    this.box = part('select', this.over);
    this.setCursor({ left: -10, top: -10 });
    this.listen();
    this.setSize(size);
  }

  /* ---- places ---- */

  setSize({ width, height }, ratio = devicePixelRatio) {
    const { canvas } = this.ctx;
    this.ratio = ratio;
    Object.assign(this, { width, height });
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    Object.assign(canvas.style, { width: width + 'px', height: height + 'px' });
    this.layout(this.plot.shown);
  }

  /* ticks of both axes, and the room that is left for the curves */
  layout(shown) {
    const { ratio } = this, inside = this.height - TOP - TICKS - LABEL;
    const up = this.ticks('y', shown.y, inside, 36);
    const left = LABEL + 14 + 6.8 * Math.max(4, ...up.map(tick => tick.text.length)), across = this.width - left - RIGHT;
    const [low, high] = shown.x, apart = this.plot.x.log ? 50 : 30 + 7 * resolved(high, 100 * (high - low)).length;
    this.axes = { x: this.ticks('x', shown.x, across, apart), y: up };
    this.bbox = { left: left * ratio, top: TOP * ratio, width: across * ratio, height: inside * ratio };
    Object.assign(this.over.style, { left: left + 'px', top: TOP + 'px', width: across + 'px', height: inside + 'px' });
  }

  ticks(key, [low, high], length, apart) {
    if (this.plot[key].log) return logTicks(low, high, key === 'y' ? 7 : 9).map(at => ({ at, text: logText(at) }));
    const least = apart / Math.max(length, apart) * (high - low), step = ROUND_STEPS.find(s => s >= least) || high - low, places = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step && places.length < 100; n++) places.push(n * step);
    const texts = tickTexts(places, step);
    return places.map((at, i) => ({ at, text: texts[i] }));
  }

  /* what a value is as a share of its axis, and back */
  ends(key) {
    return this.plot.shown[key].map(v => this.plot[key].log ? Math.log10(v) : v);
  }

  valToPos(value, key) {
    const [low, high] = this.ends(key), share = ((this.plot[key].log ? Math.log10(value) : value) - low) / (high - low);
    return key === 'x' ? share * this.over.clientWidth : (1 - share) * this.over.clientHeight;
  }

  posToVal(place, key) {
    const [low, high] = this.ends(key), share = key === 'x' ? place / this.over.clientWidth : 1 - place / this.over.clientHeight;
    const value = low + share * (high - low);
    return this.plot[key].log ? 10 ** value : value;
  }

  /* ---- what is drawn ---- */

  redraw() {
    const { ctx, bbox, ratio } = this;
    this.layout(this.plot.shown);
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    this.plot.draw(ctx, bbox, () => this.drawGrid());
    ctx.fillStyle = ink('quiet');
    ctx.font = fontOf(12 * ratio);
    this.drawTexts(bbox.left, bbox.top + bbox.height);
    ctx.textBaseline = 'bottom';
    ctx.textAlign = 'center';
    ctx.fillText(this.plot.x.label, bbox.left + bbox.width / 2, ctx.canvas.height - 3 * ratio);
    ctx.save();
    ctx.translate(3 * ratio, bbox.top + bbox.height / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.textBaseline = 'top';
    ctx.fillText(this.plot.y.label, 0, 0);
    ctx.restore();
  }

  drawGrid() {
    const { ctx, ratio } = this, { left, top, width, height } = this.bbox, x = this.plot.mapper('x'), y = this.plot.mapper('y');
    ctx.strokeStyle = ink('grid');
    ctx.lineWidth = ratio;
    ctx.setLineDash([]);
    ctx.beginPath();
    for (const { at } of this.axes.x) ctx.moveTo(x(at), top), ctx.lineTo(x(at), top + height);
    for (const { at } of this.axes.y) ctx.moveTo(left, y(at)), ctx.lineTo(left + width, y(at));
    ctx.stroke();
  }

  drawTexts(left, bottom) {
    const { ctx, ratio } = this, x = this.plot.mapper('x'), y = this.plot.mapper('y');
    ctx.textAlign = 'center';
    ctx.textBaseline = 'top';
    for (const { at, text } of this.axes.x) ctx.fillText(text, x(at), bottom + 7 * ratio);
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    for (const { at, text } of this.axes.y) ctx.fillText(text, left - 6 * ratio, y(at));
  }

  /* ---- the pointer ---- */

  setCursor({ left, top }) {
    const there = left >= 0 && top >= 0, [up, across] = this.lines;
    this.cursor = { left, top };
    up.hidden = !there;
    across.hidden = !there || this.plot.time;
    up.style.left = left + 'px';
    across.style.top = top + 'px';
  }

  listen() {
    const { over } = this;
    const placed = event => {
      const box = over.getBoundingClientRect();
      return { left: clamp(event.clientX - box.left, 0, box.width), top: clamp(event.clientY - box.top, 0, box.height) };
    };
    over.addEventListener('pointermove', event => {
      this.setCursor(placed(event));
      if (this.start) this.stretch();
      this.plot.hover(this);
    });
    over.addEventListener('pointerleave', () => {
      this.setCursor({ left: -10, top: -10 });
      this.plot.hover(this);
    });
    over.addEventListener('pointerdown', event => {
      if (event.button || event.pointerType === 'touch') return; /* a finger scrolls the page */
      this.start = placed(event);
      over.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.plot.view.focus({ preventScroll: true, focusVisible: false });
    });
    for (const end of ['pointerup', 'pointercancel'])
      over.addEventListener(end, event => {
        if (this.start && end === 'pointerup') this.setCursor(placed(event)), this.stretch(), this.release();
        this.start = null;
        this.box.hidden = true;
      });
    over.addEventListener('dblclick', () => this.plot.zoom(null));
    this.box.hidden = true;
  }

  /* what a drag selects: all of a direction along which it is short */
  stretch() {
    const { start, cursor, over } = this, wide = Math.abs(cursor.left - start.left), high = Math.abs(cursor.top - start.top);
    const whole = { x: wide < NARROW && high >= NARROW && !this.plot.time, y: this.plot.time || (high < NARROW && wide >= NARROW) };
    this.selection = {
      left: whole.x ? 0 : Math.min(start.left, cursor.left), width: whole.x ? over.clientWidth : wide,
      top: whole.y ? 0 : Math.min(start.top, cursor.top), height: whole.y ? over.clientHeight : high,
      far: Math.max(wide, this.plot.time ? 0 : high) > CLICK,
    };
    this.box.hidden = !this.selection.far;
    for (const key of ['left', 'top', 'width', 'height']) this.box.style[key] = this.selection[key] + 'px';
  }

  release() {
    const { left, top, width, height, far } = this.selection;
    if (!far || !width || !height) return;
    this.plot.select([left, left + width].map(place => this.posToVal(place, 'x')), [top + height, top].map(place => this.posToVal(place, 'y')));
  }
}
