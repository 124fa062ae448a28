/* The block of the pull on its bristles, moving: the spring pulls it, friction bends the bristles. */
'use strict';

const ROUND = 9; /* seconds that a run takes on the screen */

class Block {
  constructor(figure) {
    this.canvas = figure.querySelector('canvas');
    this.button = figure.querySelector('button');
    this.moving = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.began = performance.now();
    this.button.addEventListener('click', () => this.play(!this.moving));
    this.play(this.moving);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    const frame = () => {
      if (this.moving && !document.hidden) this.draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  play(moving) {
    this.moving = moving;
    this.button.textContent = moving ? 'Pause' : 'Play';
    this.draw();
  }

  /* t, x, puller, force: arrays of the run */
  show(run) {
    this.run = run;
    this.most = Math.max(1e-300, ...run.force.map(Math.abs));
    const low = Math.min(...run.x, ...run.puller), high = Math.max(...run.x, ...run.puller);
    this.span = [low, high > low ? high : low + 1];
    this.draw();
  }

  draw() {
    const { canvas, run } = this, ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!run || !width) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const c = canvas.getContext('2d'), style = getComputedStyle(canvas), paint = name => style.getPropertyValue('--' + name);
    const share = this.moving ? ((performance.now() - this.began) / 1000 % ROUND) / ROUND : 0.999;
    const i = Math.min(run.t.length - 1, Math.floor(share * run.t.length)), [low, high] = this.span;
    const wide = Math.min(110, width / 5), place = value => 12 + (value - low) / (high - low) * (width - 24 - wide - 60);
    const left = place(run.x[i]), end = place(run.puller[i]) + wide + 48, ground = height - 14, bottom = ground - 16;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    this.floor(c, paint, width, ground);
    this.bristles(c, paint, left, wide, bottom, ground, 12 * run.force[i] / this.most);
    c.fillStyle = paint('c0');
    c.fillRect(left, bottom - 34, wide, 34);
    this.spring(c, paint, left + wide, end, bottom - 17);
    c.fillStyle = paint('quiet');
    c.font = `12px ${style.fontFamily}`;
    c.textAlign = 'right';
    c.fillText(`t = ${withUnit(run.t[i], 's')}, friction ${withUnit(run.force[i], 'N')}`, width - 8, 14);
    canvas.setAttribute('aria-label', `A block on bristles, pulled by a spring; its friction is at most ${withUnit(this.most, 'N')}`);
  }

  floor(c, paint, width, ground) {
    c.strokeStyle = paint('quiet');
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(0, ground);
    c.lineTo(width, ground);
    for (let x = 4; x < width; x += 14) c.moveTo(x, ground + 8), c.lineTo(x + 8, ground);
    c.stroke();
  }

  /* they hold on to the ground and bend against the motion of the block */
  bristles(c, paint, left, wide, bottom, ground, bend) {
    c.strokeStyle = paint('c1');
    c.lineWidth = 2;
    c.beginPath();
    for (let k = 0; k <= 14; k++) {
      const top = left + 4 + k * (wide - 8) / 14;
      c.moveTo(top, bottom);
      c.quadraticCurveTo(top, (bottom + ground) / 2, top - bend, ground);
    }
    c.stroke();
  }

  spring(c, paint, from, to, y) {
    const turns = 9, step = (to - from - 16) / turns;
    c.strokeStyle = paint('ink');
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(from, y);
    c.lineTo(from + 8, y);
    for (let k = 0; k < turns; k++) c.lineTo(from + 8 + (k + 0.25) * step, y - 7), c.lineTo(from + 8 + (k + 0.75) * step, y + 7);
    c.lineTo(to - 8, y);
    c.lineTo(to, y);
    c.stroke();
    c.fillStyle = paint('ink');
    c.beginPath();
    c.arc(to, y, 4, 0, 7);
    c.fill();
  }
}

/* ---- experiments to begin with: settings beside the usual ones, and the picture that shows it ---- */

const PRESETS = [
  ['Stick-slip', 'slip', () => ({})],
  ['Hunting', 'slip', u => ({ stiffness: 3 * u.stiffness / 1.3, damping: 6 * u.stiffness / 1.3, integral: 1.33, pull_speed: 0.5, stop: 2, time: 100 })],
  ['Presliding', 'loop', u => ({ amplitude: u.amplitude / 8 })],
  ['Stribeck curve', 'steady', u => ({ speed_range: u.speed_range / 2 })],
  ['Break-away', 'slip', u => ({ time: 11, pull_speed: u.pull_speed })],
];

function makePresets(explorer) {
  const said = { slip: 'Look at Stick and slip.', loop: 'Look at the presliding loop.', steady: 'Look at the steady curve.' };
  $('presets').append(...PRESETS.map(([name, plot, change]) => make('button', {
    type: 'button', textContent: name, onclick: () => {
      const usual = Object.fromEntries(SETTINGS.map(([key], i) => [key, explorer.usual.settings[i]])), settings = {};
      for (const [key, value] of Object.entries({ ...usual, ...change(usual) })) settings['~' + key] = Number(value.toPrecision(3));
      explorer.choose(explorer.law.name, explorer.state(), settings);
      for (const figure of document.querySelectorAll('[data-plot]')) figure.classList.toggle('meant', figure.dataset.plot === plot);
      document.querySelectorAll('.tabs button')[Object.keys(explorer.plots).indexOf(plot)].click();
      $('said').textContent = said[plot];
    } })));
}
