/* Law, sliders and pictures. */
'use strict';

const SETTINGS = [
  ['speed_range', 'Largest speed drawn', 'm/s', 1e-6, 100], ['amplitude', 'Way of the loop', 'm', 1e-9, 1],
  ['frequency', 'Loops in a second', 'Hz', 1e-3, 100], ['mass', 'Mass of the block', 'kg', 1e-4, 1e4],
  ['stiffness', 'Stiffness of the spring', 'N/m', 1e-3, 1e7], ['pull_speed', 'Speed of the pull', 'm/s', 1e-7, 10],
  ['time', 'Time shown', 's', 1e-3, 1e4], ['load', 'Normal load', 'N', 1e-3, 1e6],
  ['stop', 'The pull stops after', 's', 1e-3, 1e4], ['integral', 'Integral part of the drive', '1/s', 0, 1e3],
  ['damping', 'Damping of the drive', 'N*s/m', 0, 1e6],
];
const SIZES = { steady: 401, loop: 961, pull: 1001, record: 10000 };
/* laws by what their tables say, as on the site */
const FAMILIES = [
  ['Dry friction: rests exactly', law => law.traits.includes('set-valued')], ['Smoothed curves', law => law.family === 'static'],
  ['Many elements, memory, dwell', law => law.states.reduce((sum, s) => sum + (s.count || 2), 0) > 1], ['One bristle', () => true],
];
const familyOf = law => FAMILIES.findIndex(([, holds]) => holds(law));
const PULL = { t: 0, x: 1, puller: 2, v: 3, f: 4, mode: 5, work: 6, lost: 7, stored: 8 };
const $ = id => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/* Sliders of positive numbers are logarithmic, three powers of ten around the usual value; the field takes any. */
function scaleOf(row, usual) {
  if (row.kind === 'linear') {
    const wide = row.max - row.min > 1000;
    const low = wide ? Math.max(row.min, usual - 10 * (Math.abs(usual) || 1)) : row.min;
    const high = wide ? Math.min(row.max, usual + 10 * (Math.abs(usual) || 1)) : row.max;
    return { to: value => 1000 * (value - low) / (high - low), from: place => low + (high - low) * place / 1000 };
  }
  const middle = usual > 0 ? usual : 1, top = usual >= row.max;
  const low = Math.max(row.min, top ? 1e-6 : middle / 1e3, 1e-300), high = Math.min(row.max, top ? usual : middle * 1e3);
  const zero = row.min === 0; /* the left end is 0 itself */
  return {
    to: value => (value <= 0 ? 0 : Math.min(1000, Math.max(zero ? 1 : 0, 1000 * Math.log(value / low) / Math.log(high / low)))),
    from: place => (zero && place <= 0 ? 0 : Number((low * (high / low) ** (place / 1000)).toPrecision(4))),
  };
}

const numberText = value => {
  const plain = Number(value.toPrecision(7)), size = Math.abs(plain);
  return size >= 1e7 || (size > 0 && size < 1e-4) ? plain.toExponential().replace('e+', 'e') : String(plain);
};

class Explorer {
  constructor(play, tables) {
    Object.assign(this, { play, tables, dirty: true, pinned: null, listeners: [] });
    this.plots = Object.fromEntries([...document.querySelectorAll('[data-plot]')].map(f => [f.dataset.plot, new Plot(f)]));
    this.makeTabs();
    FAMILIES.forEach(([label], k) => $('law').append(make('optgroup', { label },
      ...tables.filter(law => familyOf(law) === k).map(law => make('option', { value: law.name, textContent: law.name })))));
    this.block = new Block($('block'));
    $('law').addEventListener('change', () => this.choose($('law').value));
    $('pin').addEventListener('click', () => this.pin());
    $('usual').addEventListener('click', () => this.choose(this.law.name));
    const frame = () => {
      if (this.dirty) this.draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  view(at, count) { return new Float64Array(this.play.memory.buffer, at, count); }
  text(at) {
    const bytes = new Uint8Array(this.play.memory.buffer, at), end = bytes.indexOf(0);
    return new TextDecoder().decode(bytes.slice(0, end));
  }
  get parameters() { return this.view(this.play.play_parameters(), 64); }
  get settings() { return this.view(this.play.play_settings(), SETTINGS.length); }

  /* ---- a law and its fields ---- */

  choose(name, values = {}, settings = {}) {
    this.index = Math.max(0, this.tables.findIndex(law => law.name === name));
    this.law = this.tables[this.index];
    $('law').value = this.law.name;
    $('title').textContent = this.law.title;
    this.play.play_usual(this.index);
    this.settings.forEach((value, i) => (this.settings[i] = Number(value.toPrecision(2))));
    this.usual = { parameters: [...this.parameters], settings: [...this.settings] };
    this.fields = [];
    this.units = this.law.parameters.flatMap(row => Array(row.count).fill(row.unit));
    $('parameters').replaceChildren(...this.parameterRows());
    $('settings').replaceChildren(...SETTINGS.map(([key, label, unit, min, max], i) =>
      this.row({ name: '~' + key, label, unit, doc: '', kind: 'log', min, max }, () => this.settings, i, this.settings[i])));
    for (const field of this.fields) {
      const given = values[field.name] ?? settings[field.name];
      if (Number.isFinite(given)) field.set(given);
    }
    this.about();
    this.changed();
  }

  parameterRows() {
    const pairs = this.play.malloc(64), rows = [];
    const shares = Array.from({ length: this.play.play_shares(this.index, pairs) }, (_, i) =>
      [...new Int32Array(this.play.memory.buffer, pairs + 8 * i, 2)]);
    let place = 0;
    for (const row of this.law.parameters) {
      const usual = [row.default].flat(), first = place;
      place += row.count;
      usual.forEach((value, k) => {
        if (row.count > 1 && value === 0) return; /* elements that are not in use */
        const name = row.count > 1 ? `${row.name}${k + 1}` : row.name;
        const share = shares.find(([from, count]) => from === first && count === row.count);
        rows.push(this.row({ ...row, name, label: name }, () => this.parameters, first + k, value, share));
      });
    }
    return rows;
  }

  row(row, array, place, usual, share) {
    const id = 'f-' + row.name, set = value => {
      array()[place] = value;
      if (share) this.keepSum(share, place);
      this.keepRules(place);
      this.fields.forEach(field => field.update());
      this.changed();
    };
    const label = make('label', { htmlFor: id, textContent: row.label + ' ' }, make('small', { textContent: row.unit === '1' ? '' : row.unit }));
    const doc = make('span', { className: 'doc', id: id + '-doc', textContent: row.doc });
    const box = make('div', { className: 'parameter' }, label);
    const field = { name: row.name, place, set, value: () => array()[place] };
    if (row.kind === 'option') {
      const select = make('select', { id, className: 'wide' });
      for (let k = row.min; k <= row.max; k++) select.append(make('option', { value: k, textContent: k }));
      select.addEventListener('change', () => set(Number(select.value)));
      field.update = () => (select.value = field.value());
      box.append(select);
    } else {
      const scale = scaleOf(row, usual);
      const slider = make('input', { id, type: 'range', min: 0, max: 1000, step: 1 });
      const number = make('input', { className: 'number', inputMode: 'decimal', autocomplete: 'off' });
      number.setAttribute('aria-label', `${row.label} as a number`);
      slider.addEventListener('input', () => set(scale.from(Number(slider.value))));
      number.addEventListener('change', () => {
        const value = Number(number.value.replace(',', '.'));
        if (number.value.trim() && Number.isFinite(value)) set(row.name[0] === '~' ? Math.min(row.max, Math.max(row.min, value)) : value);
        else field.update();
      });
      field.update = () => {
        const value = field.value();
        slider.value = scale.to(value);
        slider.setAttribute('aria-valuetext', withUnit(value, row.unit === '1' ? '' : row.unit));
        number.value = numberText(value);
      };
      box.append(slider, number);
    }
    if (row.doc) box.append(doc), box.querySelector('input, select').setAttribute('aria-describedby', doc.id);
    field.update();
    this.fields.push(field);
    return box;
  }

  /* Where a rule between two numbers of one unit is broken (fs below fc), the other one goes along. What it does not cure is
     refused in words. */
  keepRules(place) {
    if (!this.text(this.play.play_refusal(this.index))) return;
    const p = this.parameters, unit = this.units[place];
    for (let k = 0; k < this.units.length; k++) {
      if (k === place || this.units[k] !== unit || unit === '1' || !(p[place] > 0)) continue;
      const old = p[k];
      p[k] = p[place];
      if (!this.text(this.play.play_refusal(this.index))) return;
      p[k] = old;
    }
  }

  /* shares stay shares: the others give or take what one of them took or gave */
  keepSum([first, count], place) {
    const p = this.parameters, own = Math.min(p[place], 1);
    let others = 0;
    for (let i = first; i < first + count; i++) if (i !== place) others += p[i];
    if (!(others > 0)) return;
    p[place] = own;
    for (let i = first; i < first + count; i++) if (i !== place) p[i] *= (1 - own) / others;
  }

  about() {
    const { law } = this, parts = [['Equations', make('pre', { textContent: law.equations })]];
    for (const [title, words] of [['Use it for', law.use], ['What it cannot do', law.limits], ['Source', law.source]])
      parts.push([title, make('p', { textContent: words })]);
    $('about').replaceChildren(...parts.flatMap(([title, body]) => [make('h3', { textContent: title }), body]));
  }

  changed() {
    this.dirty = true;
    this.listeners.forEach(listener => listener());
  }

  /* ---- pictures ---- */

  draw() {
    this.dirty = false;
    const refusal = this.text(this.play.play_refusal(this.index));
    $('refusal').hidden = !refusal;
    $('refusal').textContent = refusal;
    $('pictures').classList.toggle('refused', !!refusal);
    if (refusal) return;
    const advice = this.text(this.play.play_advice(this.index)).split('\n').filter(Boolean);
    $('advice').hidden = !advice.length;
    $('advice').replaceChildren(...advice.map(line => make('li', { textContent: line })));
    const begin = performance.now();
    this.play.play_draw(this.index);
    this.computed = performance.now() - begin;
    this.show();
    this.took = performance.now() - begin;
  }

  curves() {
    const { play } = this, pull = key => this.view(play.play_pull(PULL[key]), SIZES.pull);
    return {
      steady: [this.view(play.play_steady(0), SIZES.steady), this.view(play.play_steady(1), SIZES.steady)],
      loop: [this.view(play.play_loop(0), SIZES.loop), this.view(play.play_loop(1), SIZES.loop)],
      t: pull('t'), x: pull('x'), puller: pull('puller'), mode: pull('mode'), work: pull('work'), lost: pull('lost'), stored: pull('stored'),
    };
  }

  show() {
    const now = this.curves(), old = this.pinned;
    const ghost = (x, y) => (old ? [{ name: 'kept: ' + old.law, x, y, colour: 'c3', faint: true }] : []);
    const middle = (SIZES.steady - 1) / 2, [v, f] = now.steady;
    const rest = this.law.traits.includes('set-valued') || this.law.traits.includes('sticks')
      ? [{ name: 'rest', x: [0, 0], y: [f[middle - 1], f[middle + 1]], colour: 'c0', dashed: true }] : [];
    this.plots.steady.show({ x: { name: 'speed', unit: 'm/s' }, y: { name: 'friction', unit: 'N' },
      series: [...ghost(...(old?.steady ?? [])), ...rest, { name: 'friction', x: v, y: f, colour: 'c0' }] });
    this.plots.loop.show({ x: { name: 'position', unit: 'm' }, y: { name: 'friction', unit: 'N' },
      series: [...ghost(...(old?.loop ?? [])), { name: 'friction', x: now.loop[0], y: now.loop[1], colour: 'c0' }] });
    this.plots.slip.show({ x: { name: 'time', unit: 's', tight: true }, y: { name: 'position', unit: 'm' }, shades: this.sticks(now),
      series: [...ghost(old?.t, old?.x), { name: 'pull', x: now.t, y: now.puller, colour: 'quiet', dashed: true, faint: true },
        { name: 'block', x: now.t, y: now.x, colour: 'c0' }] });
    this.block.show({ t: now.t, x: now.x, puller: now.puller, force: this.view(this.play.play_pull(PULL.f), SIZES.pull) });
    this.plots.energy.show({ x: { name: 'time', unit: 's', tight: true }, y: { name: 'energy', unit: 'J' },
      series: [...ghost(old?.t, old?.lost), { name: 'put in', x: now.t, y: now.work, colour: 'c0' },
        { name: 'lost', x: now.t, y: now.lost, colour: 'c1' }, { name: 'stored', x: now.t, y: now.stored, colour: 'c2' }] });
  }

  /* stretches of time during which the contact does not slide */
  sticks({ t, mode }) {
    const found = [];
    for (let i = 1; i < t.length; i++)
      if (mode[i] < 2) {
        if (found.length && found.at(-1)[1] === t[i - 1]) found.at(-1)[1] = t[i];
        else found.push([t[i - 1], t[i]]);
      }
    return found;
  }

  pin() {
    const now = this.curves(), copy = list => Float64Array.from(list);
    this.pinned = this.pinned ? null
      : { law: this.law.name, steady: now.steady.map(copy), loop: now.loop.map(copy), t: copy(now.t), x: copy(now.x), lost: copy(now.lost) };
    $('pin').setAttribute('aria-pressed', !!this.pinned);
    this.dirty = true;
  }

  makeTabs() {
    const figures = [...document.querySelectorAll('[data-plot]')], tabs = document.querySelector('.tabs');
    const choose = chosen => figures.forEach((figure, i) => {
      figure.classList.toggle('shown', figure === chosen);
      tabs.children[i].setAttribute('aria-pressed', figure === chosen);
    });
    tabs.append(...figures.map(figure => make('button', {
      type: 'button', textContent: figure.dataset.short, title: figure.querySelector('h2').textContent, onclick: () => choose(figure) })));
    choose(figures[1]);
  }

  /* what differs from the usual values, by name */
  state() {
    const found = {};
    for (const field of this.fields) {
      const own = field.name[0] === '~' ? this.usual.settings : this.usual.parameters;
      if (field.value() !== own[field.place]) found[field.name] = field.value();
    }
    return found;
  }

  /* every parameter as an option of the tool */
  given() {
    let place = 0;
    return this.law.parameters.flatMap(row => {
      const values = [...this.parameters].slice(place, place + row.count);
      place += row.count;
      return ['--set', `${row.name}=${row.count > 1 ? `[${values.join(', ')}]` : values[0]}`];
    });
  }

  record() {
    const n = SIZES.record, all = this.view(this.play.play_record(this.index), 3 * n), lines = ['t [s],x [m],F [N]'];
    for (let i = 0; i < n; i++) lines.push([0, 1, 2].map(k => Number(all[k * n + i].toPrecision(9))).join());
    return lines.join('\n') + '\n';
  }
}
