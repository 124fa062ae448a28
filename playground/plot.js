/* A picture on a canvas: axes with ticks a person would choose, curves, shaded stretches, the value under the pointer. */
'use strict';

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, '\u00b5'], [1e-9, 'n']];

/* the prefix with which the largest number has one to three places before the point */
const prefixFor = largest => PREFIXES.find(([size]) => largest >= size * 0.9995) ?? (largest > 0 ? PREFIXES.at(-1) : PREFIXES[3]);
const short = value => (value === 0 ? '0' : Number(value.toPrecision(4)).toString().replace('-', '\u2212'));
function withUnit(value, unit) {
  const [size, letter] = unit ? prefixFor(Math.abs(value)) : PREFIXES[3];
  return `${short(value / size)}${unit ? '\u00a0' + letter + unit : ''}`;
}

function niceStep(span, parts) {
  const raw = span / parts, power = 10 ** Math.floor(Math.log10(raw));
  return power * [1, 2, 5, 10].find(n => n * power >= raw * 0.999);
}

/* limits on whole ticks, so that axes rest while a slider moves a little */
function niceRange(low, high, parts) {
  if (!(high > low)) [low, high] = low === 0 ? [-1, 1] : [low - Math.abs(low) / 2, low + Math.abs(low) / 2];
  const step = niceStep(high - low, parts);
  return { low: Math.floor(low / step + 1e-9) * step, high: Math.ceil(high / step - 1e-9) * step, step };
}

class Plot {
  constructor(figure) {
    Object.assign(this, { figure, canvas: figure.querySelector('canvas'), readout: figure.querySelector('output') });
    this.series = [];
    this.canvas.addEventListener('pointermove', event => this.point(event));
    this.canvas.addEventListener('pointerleave', () => (this.readout.textContent = ''));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /* x, y: { name, unit }; series: { name, x, y, colour, dashed, faint }; shades: [from, to] along x */
  show({ x, y, series, shades = [] }) {
    Object.assign(this, { x, y, series, shades });
    this.draw();
  }

  limits(key) {
    let low = Infinity, high = -Infinity;
    for (const s of this.series)
      for (const value of s[key]) if (value === value) low = Math.min(low, value), high = Math.max(high, value);
    return low <= high ? [low, high] : [0, 1];
  }

  draw() {
    const { canvas } = this, ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !this.x) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const c = canvas.getContext('2d'), style = getComputedStyle(canvas);
    this.paint = name => style.getPropertyValue('--' + name);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.font = `12px ${style.fontFamily}`;
    this.box = { left: 52, top: 8, right: width - 14, bottom: height - 36 };
    const [xl, xh] = this.limits('x'), [yl, yh] = this.limits('y');
    this.rx = this.x.tight ? { low: xl, high: xh, step: niceStep(xh - xl, width / 90) } : niceRange(xl, xh, width / 90);
    const room = 0.03 * (yh - yl);
    this.ry = niceRange(yl === 0 ? 0 : yl - room, yh === 0 ? 0 : yh + room, height / 50);
    this.px = value => this.box.left + (value - this.rx.low) / (this.rx.high - this.rx.low) * (this.box.right - this.box.left);
    this.py = value => this.box.bottom - (value - this.ry.low) / (this.ry.high - this.ry.low) * (this.box.bottom - this.box.top);
    this.shade(c);
    this.axes(c);
    this.series.forEach(s => this.curve(c, s));
    this.canvas.setAttribute('aria-label', this.words());
  }

  shade(c) {
    c.fillStyle = this.paint('stick');
    for (const [from, to] of this.shades)
      c.fillRect(this.px(from), this.box.top, Math.max(1, this.px(to) - this.px(from)), this.box.bottom - this.box.top);
  }

  axes(c) {
    const { box } = this;
    for (const [key, range, axis] of [['x', this.rx, this.x], ['y', this.ry, this.y]]) {
      const [size, letter] = axis.unit ? prefixFor(Math.max(Math.abs(range.low), Math.abs(range.high))) : PREFIXES[3];
      c.lineWidth = 1;
      for (let k = Math.ceil(range.low / range.step - 1e-9); k * range.step <= range.high * (1 + 1e-9) + 1e-9 * range.step; k++) {
        const value = k * range.step, at = key === 'x' ? this.px(value) : this.py(value);
        c.strokeStyle = k === 0 ? this.paint('quiet') : this.paint('grid');
        c.beginPath();
        if (key === 'x') c.moveTo(at, box.top), c.lineTo(at, box.bottom);
        else c.moveTo(box.left, at), c.lineTo(box.right, at);
        c.stroke();
        c.fillStyle = this.paint('quiet');
        c.textAlign = key === 'x' ? 'center' : 'right';
        c.fillText(short(value / size), key === 'x' ? at : box.left - 6, key === 'x' ? box.bottom + 15 : at + 4);
      }
      c.fillStyle = this.paint('ink');
      const title = axis.unit ? `${axis.name} [${letter}${axis.unit}]` : axis.name;
      if (key === 'x') c.textAlign = 'center', c.fillText(title, (box.left + box.right) / 2, box.bottom + 31);
      else {
        c.save();
        c.translate(11, (box.top + box.bottom) / 2);
        c.rotate(-Math.PI / 2);
        c.textAlign = 'center';
        c.fillText(title, 0, 0);
        c.restore();
      }
    }
  }

  curve(c, s) {
    c.strokeStyle = this.paint(s.colour);
    c.lineWidth = s.faint ? 1.2 : 2;
    c.lineJoin = 'round';
    c.setLineDash(s.dashed ? [5, 4] : []);
    c.beginPath();
    let down = false;
    for (let i = 0; i < s.x.length; i++) {
      const there = s.y[i] === s.y[i];
      if (there) c[down ? 'lineTo' : 'moveTo'](this.px(s.x[i]), this.py(s.y[i]));
      down = there;
    }
    c.stroke();
    c.setLineDash([]);
  }

  words() {
    const [low, high] = this.limits('y'), [from, to] = this.limits('x');
    return `${this.figure.querySelector('h2').textContent}: ${this.y.name} between ${withUnit(low, this.y.unit)} and `
      + `${withUnit(high, this.y.unit)}, ${this.x.name} from ${withUnit(from, this.x.unit)} to ${withUnit(to, this.x.unit)}`;
  }

  point(event) {
    const place = this.canvas.getBoundingClientRect(), left = event.clientX - place.left, top = event.clientY - place.top;
    let best = Infinity, found = null, index = 0;
    for (const s of this.series)
      for (let i = 0; i < s.x.length; i++) {
        const distance = (this.px(s.x[i]) - left) ** 2 + (this.py(s.y[i]) - top) ** 2;
        if (distance < best) best = distance, found = s, index = i;
      }
    this.readout.textContent = found && best < 2500
      ? `${found.name}: ${withUnit(found.y[index], this.y.unit)} at ${withUnit(found.x[index], this.x.unit)}` : '';
  }
}
