/* A log, the laws to try, and what the tool finds: its own command runs in a worker. */
'use strict';

const LARGEST = 50e6, FIRST_LAWS = ['coulomb', 'stribeck', 'lugre'];
const READING = [['mass', '--mass'], ['time-column', '--time'], ['position-column', '--position'],
  ['velocity-column', '--velocity'], ['force-column', '--force']];

function save(name, data, type = 'text/plain') {
  const address = URL.createObjectURL(new Blob([data], { type }));
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const four = value => (typeof value === 'number' ? numberText(Number(value.toPrecision(4))) : '');
const percent = value => (typeof value === 'number' ? `${Number((100 * value).toPrecision(3))} %` : '');

function table(head, rows, best) {
  const cells = (tag, list) => list.map(text => make(tag, { textContent: text, className: /^(\u00b1 )?[-\d.e+]+( \S+)?$/.test(text) ? 'r' : '' }));
  const body = rows.map((row, i) => make('tr', { className: i === best ? 'best' : '' }, ...cells('td', row)));
  return make('div', { className: 'scroll', tabIndex: 0 }, make('table', {},
    make('thead', {}, make('tr', {}, ...head.map(text => make('th', { textContent: text, scope: 'col' })))), make('tbody', {}, ...body)));
}

class Identifier {
  constructor(module, explorer) {
    Object.assign(this, { module, explorer, record: null, worker: null });
    this.columns = new Columns();
    FAMILIES.forEach(([label], k) => document.querySelector('.chips').append(make('b', { textContent: label }),
      ...explorer.tables.filter(law => familyOf(law) === k).map(law => make('label', {}, make('input', {
        type: 'checkbox', value: law.name, checked: FIRST_LAWS.includes(law.name), onchange: () => explorer.changed() }), law.name))));
    $('file').addEventListener('change', () => $('file').files[0] && this.take($('file').files[0]));
    $('example').addEventListener('click', () => this.use('record.csv', new TextEncoder().encode(explorer.record())));
    $('start').addEventListener('click', () => this.start());
    $('cancel').addEventListener('click', () => this.stop('Cancelled; nothing was found yet.'));
    this.listenForDrops();
  }

  get laws() { return [...document.querySelectorAll('.chips input:checked')].map(box => box.value); }
  set laws(names) { for (const box of document.querySelectorAll('.chips input')) box.checked = names.includes(box.value); }

  listenForDrops() {
    const over = on => document.body.classList.toggle('over', on);
    addEventListener('dragover', event => (event.preventDefault(), over(true)));
    addEventListener('dragleave', event => event.relatedTarget || over(false));
    addEventListener('drop', event => {
      event.preventDefault();
      over(false);
      const file = event.dataTransfer.files[0];
      if (file) this.take(file), $('identify').scrollIntoView();
    });
  }

  async take(file) {
    if (file.size > LARGEST)
      return this.refuse(`${file.name} has ${Math.round(file.size / 1e6)} MB. This page reads up to ${LARGEST / 1e6} MB; `
        + 'the command line tool reads any size.');
    if (!file.size) return this.refuse(`${file.name} is empty.`);
    try {
      this.use(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      this.refuse(`${file.name} cannot be read (${error.message}).`);
    }
  }

  refuse(words) {
    this.record = null;
    $('start').disabled = true;
    $('chosen').textContent = '';
    $('result').replaceChildren(make('p', { className: 'notice', textContent: words }));
  }

  use(name, bytes) {
    this.record = { name: name.replace(/[^\w.-]+/g, '_').replace(/^[.-]+/, '') || 'record.csv', bytes };
    $('chosen').textContent = `${name}, ${Math.max(1, Math.round(bytes.length / 1e3))} kB`;
    $('start').disabled = false;
    this.columns.fill(sniff(bytes));
    this.start();
  }

  /* ---- the worker ---- */

  command() {
    const factor = $('force-factor').value.trim(); // it needs a column: the one that was chosen, or whose name says it
    const given = id => (id === 'force-column' && factor ? (this.columns.place(id) ?? 'force') + '*' + factor : $(id).value.trim());
    const extra = READING.flatMap(([id, option]) => (given(id) ? [option, given(id)] : []));
    return ['bristle', 'identify', this.record.name, '--json', '--trust', '--model', this.laws.join(), ...extra,
      '-o', 'model.yaml', '--report', 'report.html'];
  }

  start() {
    if (!this.record) return;
    if (!this.laws.length) return this.tell('Choose at least one law to try.');
    this.stop();
    const source = $('wasi').textContent + $('worker').textContent;
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    this.worker = new Worker(address);
    this.began = performance.now();
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = event => this.stop(`The fit failed: ${event.message}`);
    this.worker.postMessage({ module: this.module, files: [[this.record.name, this.record.bytes]], args: this.command() });
    URL.revokeObjectURL(address);
    $('progress').hidden = $('cancel').hidden = false;
    $('progress').removeAttribute('value');
    $('result').replaceChildren();
  }

  stop(words) {
    this.worker?.terminate();
    this.worker = null;
    $('progress').hidden = $('cancel').hidden = true;
    if (words) this.tell(words);
  }

  tell(words) { $('result').replaceChildren(make('p', { className: 'notice', textContent: words })); }

  hear(message) {
    if (message.fraction !== undefined) return ($('progress').value = message.fraction);
    this.took = performance.now() - this.began;
    this.stop();
    if (message.failed)
      return this.tell(`The fit came to an end it should not have: ${message.failed}. If the log is very long, shorten it.`);
    const { status, out, words } = message.result;
    this.files = new Map(message.made);
    this.json = out;
    if (!out) {
      $('columns').open = true; // what is wrong is cured there
      return this.tell(words.replace(/^bristle identify: /, '').trim() || `The tool ended with ${status}.`);
    }
    try {
      this.show(JSON.parse(out), words);
    } catch (error) {
      this.tell(`What was found cannot be shown (${error.message}).`);
    }
  }

  /* ---- what was found ---- */

  show(found, words) {
    const best = found.results[0], parts = [];
    parts.push(this.card());
    parts.push(...best.verdict.map(text => make('p', { textContent: text })));
    if (!found.doubt) parts.push(this.downloads(best)); // a rejected fit is not for use
    parts.push(make('h3', { textContent: 'Ranking' }), table(['law', 'error', 'error on held-out pieces', 'relative error'],
      found.results.map((r, i) => [(r.variant || r.model) + (i && r.indistinguishable ? ' (as good)' : ''), `${four(r.rms)} ${r.unit}`,
        typeof r.held_out_rms === 'number' ? `${four(r.held_out_rms)} ${r.unit}` : '', percent(r.relative_error)]), 0));
    parts.push(make('h3', { textContent: 'Parameters of ' + best.model }), table(['name', 'value', 'deviation', 'unit', 'meaning'],
      best.parameters.map(x => [x.name, four(x.value), x.free ? (x.std === null ? 'not determined' : '\u00b1 ' + numberText(Number(x.std.toPrecision(2))))
        : 'fixed', x.unit === '1' ? '' : x.unit, [this.meaning(best.model, x.name), x.reason].filter(Boolean).join('; ')])));
    for (const note of [...found.not_fitted, ...found.data.flatMap(d => d.notes)]) parts.push(make('p', { textContent: note }));
    if (words.trim()) parts.push(make('pre', { textContent: words.trim() }));
    parts.push(...this.report());
    $('result').replaceChildren(...parts);
  }

  /* the card that begins the report, as the tool wrote it */
  card() {
    const page = new DOMParser().parseFromString(new TextDecoder().decode(this.files.get('report.html') ?? new Uint8Array()), 'text/html');
    return make('div', { className: 'verdict' }, ...page.querySelectorAll('.card, .tiles'));
  }

  meaning(law, name) {
    const row = this.explorer.tables.find(t => t.name === law)?.parameters.find(r => r.name === name.replace(/\[?\d+\]?$/, '') || r.name === name);
    return row?.doc ?? '';
  }

  downloads(best) {
    const row = make('p', { className: 'row' });
    const button = (words, action) => row.append(make('button', { type: 'button', textContent: words, onclick: action }));
    for (const [name, words, type] of [['model.yaml', 'Model (YAML)', 'text/yaml'], ['report.html', 'Report (HTML)', 'text/html']])
      if (this.files.has(name)) button(words, () => save(name, this.files.get(name), type));
    button('C99 file', () => this.export(best));
    button('Result (JSON)', () => save('result.json', this.json, 'application/json'));
    button('Look at it above', () => {
      this.explorer.choose(best.model, this.values(best));
      $('explore').scrollIntoView();
    });
    return row;
  }

  values(best) { return Object.fromEntries(best.parameters.map(x => [x.name.replace(/\[(\d+)\]$/, '$1'), x.value])); }

  export(best) {
    this.explorer.choose(best.model, this.values(best));
    exportC(this.explorer, this.module, best.unit === 'N*m' ? 1 : 0);
  }

  report() {
    if (!this.files.has('report.html')) return [];
    const text = new TextDecoder().decode(this.files.get('report.html'));
    const frame = make('iframe', { title: 'Report of the identification', srcdoc: text });
    frame.sandbox = 'allow-scripts allow-downloads';
    return [make('h3', { textContent: 'Pictures' }), frame];
  }
}
