/* Starts the page: unpacks the module, reads the tables of the laws from it, restores what the address says. */
'use strict';

async function unpack() {
  const bytes = Uint8Array.from(atob($('module').textContent.trim()), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/* an instance whose functions the page calls, with its files */
async function begin(module) {
  const files = new Map(), wasi = makeWasi(files, [], () => {});
  const { exports } = await WebAssembly.instantiate(module, wasi.imports);
  wasi.attach(exports);
  exports._initialize();
  return { exports, files };
}

/* the C files of what the sliders say: the law, its header and test vectors */
async function exportC(explorer, module, rotary = 0) {
  const { exports, files } = await begin(module);
  new Float64Array(exports.memory.buffer, exports.play_parameters(), 64).set(explorer.parameters);
  const load = { force: 0, coefficient: 1, level: 2 }[explorer.law.load] ?? 0;
  const at = exports.play_export(explorer.index, load, rotary), bytes = new Uint8Array(exports.memory.buffer);
  const refusal = new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
  $('said').textContent = refusal || `Wrote ${[...files.keys()].join(', ')}.`;
  for (const [name, data] of files) save(name, data, 'text/x-c');
}

/* ---- the state of the page is its address ---- */

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1)), values = {};
  for (const [name, text] of given) if (text.trim() && Number.isFinite(Number(text))) values[name] = Number(text);
  return { law: given.get('law'), values, laws: given.get('laws')?.split(',') };
}

function writeAddress(explorer, identifier) {
  const state = new URLSearchParams({ law: explorer.law.name });
  if (document.body.classList.contains('embedded')) state.set('view', 'law');
  for (const [name, value] of Object.entries(explorer.state())) state.set(name, value);
  if (identifier && identifier.laws.join() !== FIRST_LAWS.join()) state.set('laws', identifier.laws.join());
  history.replaceState(null, '', '#' + state);
}

function later(action, wait) {
  let timer = 0;
  return () => (clearTimeout(timer), (timer = setTimeout(action, wait)));
}

function makeTheme(explorer) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = theme => {
    document.documentElement.dataset.theme = theme;
    $('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
    if (explorer) explorer.dirty = true;
  };
  $('theme').onclick = () => set(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  dark.onchange = () => set(dark.matches ? 'dark' : 'light');
  set(dark.matches ? 'dark' : 'light');
}

async function start() {
  makeTheme(null);
  const module = await unpack(), { exports } = await begin(module);
  const { out } = await runTool(module, new Map(), ['bristle', 'models', '--json']);
  const explorer = new Explorer(exports, JSON.parse(out).models);
  makeTheme(explorer);
  makePresets(explorer);
  document.body.classList.toggle('embedded', new URLSearchParams(location.hash.slice(1)).get('view') === 'law');
  const restore = () => {
    const { law, values, laws } = readAddress();
    explorer.choose(law ?? 'lugre', values);
    return laws;
  };
  const laws = restore(), identifier = new Identifier(module, explorer);
  if (laws) identifier.laws = laws;
  explorer.listeners.push(later(() => writeAddress(explorer, identifier), 200));
  addEventListener('hashchange', restore);
  $('c99').onclick = () => exportC(explorer, module);
  $('link').onclick = async () => {
    writeAddress(explorer, identifier);
    try {
      await navigator.clipboard.writeText(location.href);
      $('said').textContent = 'The link is copied; it holds the law and its numbers.';
    } catch {
      $('said').textContent = 'Copy the address of this page; it holds the law and its numbers.';
    }
  };
  window.playground = { explorer, identifier, module };
}

start().catch(error => {
  $('trouble').hidden = false;
  $('trouble').textContent = `This browser cannot run the page: ${error.message}. It needs WebAssembly with vectors and `
    + 'DecompressionStream: Chrome 91, Firefox 113, Safari 16.4 or later.';
});
