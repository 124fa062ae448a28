// Opens a page of the tool, light and dark, wide and narrow: no error, no request, every plot drawn, nothing like NaN
// in its words. node tests/report/plain.mjs [--no-plots] PAGE...  With SHOTS=folder it also leaves pictures there.
import { basename, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { inspect } from './checks.mjs';

const words = process.argv.slice(2), bare = words[0] === '--no-plots', paths = words.slice(bare ? 1 : 0), shots = process.env.SHOTS, troubles = [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

for (const path of paths) for (const [scheme, width] of [['light', 1200], ['dark', 1200], ['light', 390]]) {
  const address = 'file://' + resolve(path);
  const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce', colorScheme: scheme });
  const trouble = text => troubles.push(`${basename(path)}, ${scheme}, ${width} wide: ${text}`);
  page.on('pageerror', error => trouble('error: ' + error.message));
  page.on('console', message => message.type() === 'error' && trouble('console: ' + message.text()));
  page.on('request', request => request.url() !== address && trouble('request: ' + request.url().slice(0, 100)));
  await page.goto(address);
  const plots = bare ? 0 : await page.evaluate(() => window.bristleReady());
  /* coloured pixels of each canvas: curves have them, axes and grids have not */
  const ink = await page.evaluate(() => [...document.querySelectorAll('canvas')].map(canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) count++;
    return count;
  }));
  if (!plots !== bare || ink.length !== plots) trouble(`${ink.length} canvases for ${plots} plots`);
  ink.forEach((count, i) => count > 100 || trouble(`canvas ${i} has ${count} coloured pixels`));
  const said = await page.evaluate(() => document.body.innerText);
  const odd = said.match(/.{0,30}(\bnan\b|\binf\b|undefined|\(null\)).{0,30}/i);
  if (odd) trouble(`it says '${odd[0]}'`);
  for (const what of await inspect(page)) trouble(what);
  if (shots) await page.screenshot({ path: `${shots}/${basename(path, '.html')}-${scheme}-${width}.png`, fullPage: true });
  await page.close();
}
await browser.close();
for (const trouble of troubles) console.log('FAIL ' + trouble);
process.exit(troubles.length ? 1 : 0);
