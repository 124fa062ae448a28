// Opens the page of the gallery: no error, no request, every canvas drawn. node tests/report/gallery.mjs PAGE
// With SHOTS=folder it also leaves a picture of each figure there.
import { chromium } from 'playwright-core';
import { inspect } from './checks.mjs';

const address = 'file://' + process.argv[2], shots = process.env.SHOTS, troubles = [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, reducedMotion: 'reduce' });
page.on('pageerror', error => troubles.push('error: ' + error.message));
page.on('console', message => message.type() === 'error' && troubles.push('console: ' + message.text()));
page.on('request', request => request.url() !== address && troubles.push('request: ' + request.url().slice(0, 100)));
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
if (plots < 50 || ink.length !== plots) troubles.push(`${ink.length} canvases for ${plots} plots`);
ink.forEach((count, i) => count > 100 || troubles.push(`canvas ${i} has ${count} coloured pixels`));
troubles.push(...await inspect(page));
const links = await page.locator('nav .thumbs a').count(), small = await page.locator('nav .thumbs svg').count();
if (links < 30 || small < links - 2) troubles.push(`${small} thumbnails for ${links} figures`);
if (!await page.locator('section#stick_slip_rigid, section#stick_slip').count()) troubles.push('figures are no anchors');
await page.setViewportSize({ width: 390, height: 800 });
troubles.push(...(await inspect(page)).map(what => '390 wide: ' + what));
await page.setViewportSize({ width: 1200, height: 900 });
await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
troubles.push(...(await inspect(page)).map(what => 'dark: ' + what));
await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
if (shots) {
  const sections = page.locator('section');
  for (let i = 0; i < await sections.count(); i++) await sections.nth(i).screenshot({ path: `${shots}/figure-${i + 1}.png` });
}
await browser.close();
for (const trouble of troubles) console.log('FAIL ' + trouble);
console.log(`${plots} plots drawn`);
process.exit(troubles.length ? 1 : 0);
