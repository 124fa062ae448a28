// Runs the tool as the playground does: node tool.mjs playground.wasm [argument ...], with the playground's own WASI. The
// files that arguments name are read from the disk and, where the tool makes some, written there.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

runInThisContext(readFileSync(new URL('../../playground/wasi.js', import.meta.url), 'utf8') + '\nglobalThis.runTool = runTool;');
const [program, ...args] = process.argv.slice(2), files = new Map();
for (const arg of args) if (existsSync(arg) && statSync(arg).isFile()) files.set(arg, new Uint8Array(readFileSync(arg)));
const before = new Map(files);
const module = new WebAssembly.Module(readFileSync(program));
const { status, out, words } = await globalThis.runTool(module, files, ['bristle', ...args]);
process.stdout.write(out);
process.stderr.write(words);
for (const [name, data] of files) if (before.get(name) !== data) writeFileSync(name, data);
process.exitCode = status;
