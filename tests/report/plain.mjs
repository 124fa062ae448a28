// Opens a page of the tool, light and dark, wide and narrow: no error, no request, every plot drawn, nothing like NaN
// in its words. node tests/report/plain.mjs PAGE.  With SHOTS=folder it also leaves pictures there.
import { basename } from 'node:path';
import { chromium } from 'playwright-core';
import { inspect } from './checks.mjs';

const path = process.argv[2], address = 'file://' + path, shots = process.env.SHOTS, troubles = [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

for (const [scheme, width] of [['light', 1200], ['dark', 1200], ['light', 390]]) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce', colorScheme: scheme });
  const trouble = text => troubles.push(`${scheme}, ${width} wide: ${text}`);
  page.on('pageerror', error => trouble('error: ' + error.message));
  page.on('console', message => message.type() === 'error' && trouble('console: ' + message.text()));
  page.on('request', request => request.url() !== address && trouble('request: ' + request.url().slice(0, 100)));
  await page.goto(address);
  const plots = await page.evaluate(() => window.bristleReady());
  /* coloured pixels of each canvas: curves have them, axes and grids have not */
  const ink = await page.evaluate(() => [...document.querySelectorAll('canvas')].map(canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) count++;
    return count;
  }));
  if (!plots || ink.length !== plots) trouble(`${ink.length} canvases for ${plots} plots`);
  ink.forEach((count, i) => count > 100 || trouble(`canvas ${i} has ${count} coloured pixels`));
  const words = await page.evaluate(() => document.body.innerText);
  const odd = words.match(/.{0,30}(\bnan\b|\binf\b|undefined|\(null\)).{0,30}/i);
  if (odd) trouble(`it says '${odd[0]}'`);
  for (const what of await inspect(page)) trouble(what);
  if (shots) await page.screenshot({ path: `${shots}/${basename(path, '.html')}-${scheme}-${width}.png`, fullPage: true });
  await page.close();
}
await browser.close();
for (const trouble of troubles) console.log('FAIL ' + trouble);
process.exit(troubles.length ? 1 : 0);
