/* The part of WASI that the tool needs, over a map of files in memory (name -> bytes). Nothing else can be reached:
 * no disk, no network. Used by the page and, as text, by its workers. */
'use strict';

const DONE = 0, BAD_FILE = 8, EXISTS = 20, NO_ENTRY = 44, NOT_SUPPORTED = 52;
const FOLDER = 3, REGULAR = 4, CHARACTERS = 2;

class Exit extends Error {
  constructor(status) { super('exit'); this.status = status; }
}

/* args and env are lists of texts; hear(fd, bytes) gets what is written to 1, 2 and to numbers from 100 on */
function makeWasi(files, env, hear) {
  const open = new Map(), utf8 = new TextEncoder(), plain = new TextDecoder();
  let memory = null, next = 10;
  const view = () => new DataView(memory.buffer), bytes = (at, size) => new Uint8Array(memory.buffer, at, size);
  const name = (at, size) => plain.decode(bytes(at, size).slice()).replace(/^(\.?\/)+/, '');
  const texts = list => list.map(text => utf8.encode(text + '\0'));
  const put32 = (at, value) => (view().setUint32(at, value, true), DONE);
  const put64 = (at, value) => (view().setBigUint64(at, BigInt(value), true), DONE);

  const sizes = list => (count, size) => {
    put32(count, list.length);
    return put32(size, texts(list).reduce((sum, text) => sum + text.length, 0));
  };
  const given = list => (pointers, at) => {
    for (const text of texts(list)) {
      put32(pointers, at);
      bytes(at, text.length).set(text);
      pointers += 4;
      at += text.length;
    }
    return DONE;
  };

  const numbers = new Map(); /* each file has its own, or the tool takes two for one */
  const numberOf = path => numbers.get(path) ?? numbers.set(path, numbers.size + 1).get(path);
  const about = (at, kind, size, path = '') => {
    bytes(at, 64).fill(0);
    put64(at + 8, numberOf(path));
    view().setUint8(at + 16, kind);
    put64(at + 24, 1);
    return put64(at + 32, size);
  };
  const rights = (at, kind) => {
    bytes(at, 24).fill(0);
    view().setUint8(at, kind);
    bytes(at + 8, 16).fill(255);
    return DONE;
  };
  const kindOf = fd => (fd === 3 ? FOLDER : open.has(fd) ? REGULAR : fd < 3 || fd >= 100 ? CHARACTERS : 0);

  /* the parts of a scattered transfer */
  const parts = (vectors, count) => Array.from({ length: count }, (_, i) =>
    bytes(view().getUint32(vectors + 8 * i, true), view().getUint32(vectors + 8 * i + 4, true)));

  const append = (file, part) => {
    const end = file.at + part.length;
    if (end > file.data.length) { /* grows by doubling, so that many small writes stay cheap */
      const larger = new Uint8Array(Math.max(end, 2 * file.data.length, 4096));
      larger.set(file.data.subarray(0, file.size));
      file.data = larger;
    }
    file.data.set(part, file.at);
    file.at = end;
    file.size = Math.max(file.size, end);
  };
  const save = file => file.writes && files.has(file.name) && files.set(file.name, file.data.slice(0, file.size));

  const calls = {
    args_sizes_get: sizes([]), args_get: given([]), environ_sizes_get: sizes(env), environ_get: given(env),
    clock_time_get: (id, precision, at) => put64(at, Math.round(performance.now() * 1e6)),
    random_get: (at, size) => (bytes(at, size).fill(7), DONE),
    proc_exit: status => { throw new Exit(status); },
    fd_prestat_get: (fd, at) => (fd === 3 ? (put32(at, 0), put32(at + 4, 1)) : BAD_FILE),
    fd_prestat_dir_name: (fd, at) => (bytes(at, 1).set([47]), DONE),
    fd_fdstat_get: (fd, at) => (kindOf(fd) ? rights(at, kindOf(fd)) : BAD_FILE),
    fd_fdstat_set_flags: () => DONE,
    fd_readdir: (fd, at, size, cookie, used) => put32(used, 0),
    fd_filestat_get: (fd, at) => (kindOf(fd) ? about(at, kindOf(fd), open.get(fd)?.size ?? 0, open.get(fd)?.name ?? `#${fd}`) : BAD_FILE),
    path_filestat_get: (fd, flags, at, size, out) => {
      const path = name(at, size), file = files.get(path);
      return path === '' || path === '.' ? about(out, FOLDER, 0) : file ? about(out, REGULAR, file.length, path) : NO_ENTRY;
    },
    path_open: (fd, follow, at, size, how, base, inherited, flags, out) => {
      const path = name(at, size), found = files.get(path), number = next++;
      if (path === '' || path === '.') return put32(out, 3);
      if (how & 4 && found) return EXISTS;
      if (!found && !(how & 1)) return NO_ENTRY;
      const data = found && !(how & 8) ? found : new Uint8Array(0);
      open.set(number, { name: path, data, size: data.length, at: 0, writes: (BigInt(base) & 64n) !== 0n });
      if (!found || how & 8) files.set(path, data);
      return put32(out, number);
    },
    fd_close: fd => {
      const file = open.get(fd);
      if (file) save(file), open.delete(fd);
      return DONE;
    },
    fd_read: (fd, vectors, count, got) => {
      const file = open.get(fd);
      let total = 0;
      if (!file) return fd === 0 ? put32(got, 0) : BAD_FILE;
      for (const part of parts(vectors, count)) {
        const piece = file.data.subarray(file.at, Math.min(file.at + part.length, file.size));
        part.set(piece);
        file.at += piece.length;
        total += piece.length;
      }
      return put32(got, total);
    },
    fd_write: (fd, vectors, count, done) => {
      const file = open.get(fd);
      let total = 0;
      if (!file && kindOf(fd) !== CHARACTERS) return BAD_FILE;
      for (const part of parts(vectors, count)) {
        if (file) append(file, part);
        else hear(fd, part.slice());
        total += part.length;
      }
      return put32(done, total);
    },
    fd_seek: (fd, offset, whence, out) => {
      const file = open.get(fd);
      if (!file) return fd < 3 ? 70 : BAD_FILE;
      file.at = Number(offset) + (whence === 1 ? file.at : whence === 2 ? file.size : 0);
      return put64(out, file.at);
    },
    path_rename: (fd, from, size, to, at, length) => {
      const old = name(from, size), place = name(at, length);
      if (!files.has(old)) return NO_ENTRY;
      for (const file of open.values()) if (file.name === old) save(file), (file.name = place);
      files.set(place, files.get(old));
      files.delete(old);
      return DONE;
    },
    path_unlink_file: (fd, at, size) => (files.delete(name(at, size)) ? DONE : NO_ENTRY),
  };
  const imports = { wasi_snapshot_preview1: new Proxy(calls, { get: (all, key) => all[key] ?? (() => NOT_SUPPORTED) }) };
  return { imports, attach: exports => (memory = exports.memory) };
}

/* One command of the tool in a fresh instance: { status, out, words }. */
async function runTool(module, files, args, tell) {
  const decoder = new TextDecoder(), said = { 1: [], 2: [] };
  const tellNumber = text => Number.isFinite(parseFloat(text)) && tell?.(parseFloat(text));
  const env = ['BRISTLE_PROGRESS_FD=100', ...(tell ? ['BRISTLE_BROWSER=1'] : [])]; // who is told of progress sees a page
  const wasi = makeWasi(files, env, (fd, part) =>
    fd === 100 ? tellNumber(decoder.decode(part)) : said[fd].push(part));
  const instance = await WebAssembly.instantiate(module, wasi.imports), play = instance.exports;
  wasi.attach(play);
  play._initialize();
  const list = args.map(text => new TextEncoder().encode(text + '\0')), table = play.malloc(4 * list.length + 4);
  const places = list.map(text => {
    const at = play.malloc(text.length);
    new Uint8Array(play.memory.buffer, at, text.length).set(text);
    return at;
  });
  new Uint32Array(play.memory.buffer, table, list.length + 1).set([...places, 0]);
  let status = 0;
  try {
    status = play.play_main(list.length, table);
    play.play_flush();
  } catch (end) {
    if (!(end instanceof Exit)) throw end;
    status = end.status;
  }
  const text = parts => parts.map(part => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  return { status, out: text(said[1]), words: text(said[2]) };
}
