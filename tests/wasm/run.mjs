// Runs a WASI program that only prints: node run.mjs program. Enough of WASI for stdout and an exit status.
import { readFileSync, writeSync } from 'node:fs';

let memory;
const OK = 0, NOT_SUPPORTED = 58;

const wasi = {
  args_sizes_get: (count, size) => store(count, 0, size, 0),
  environ_sizes_get: (count, size) => store(count, 0, size, 0),
  args_get: () => OK,
  environ_get: () => OK,
  fd_fdstat_get: (fd, stat) => {
    new Uint8Array(memory.buffer, stat, 24).fill(0);
    new Uint8Array(memory.buffer)[stat] = 2; // a character device
    return fd <= 2 ? OK : NOT_SUPPORTED;
  },
  fd_write: (fd, vectors, count, written) => {
    const view = new DataView(memory.buffer);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const length = view.getUint32(vectors + 8 * i + 4, true);
      const bytes = new Uint8Array(memory.buffer, view.getUint32(vectors + 8 * i, true), length);
      for (let done = 0; done < length;) done += writeSync(fd, bytes, done);
      total += length;
    }
    view.setUint32(written, total, true);
    return OK;
  },
  proc_exit: (status) => process.exit(status),
};

function store(...pairs) {
  const view = new DataView(memory.buffer);
  for (let i = 0; i < pairs.length; i += 2) view.setUint32(pairs[i], pairs[i + 1], true);
  return OK;
}

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = { wasi_snapshot_preview1: new Proxy(wasi, { get: (calls, name) => calls[name] ?? (() => NOT_SUPPORTED) }) };
const { exports } = new WebAssembly.Instance(module, imports);
memory = exports.memory;
exports._start();
