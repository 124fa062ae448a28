// Runs a WASI program with arguments and the files below the working directory: node tool.mjs program [argument ...].
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const preopens = { '/': process.cwd() };
const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2), preopens, returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
process.exitCode = wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
