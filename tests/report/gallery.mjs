// Opens the pages of the gallery: no error, no request, every canvas drawn, links that lead to a figure. node tests/report/gallery.mjs PAGE...
// With SHOTS=folder it also leaves a picture of each figure there.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { inspect } from './checks.mjs';

const paths = process.argv.slice(2).map(path => resolve(path)), shots = process.env.SHOTS, troubles = [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, reducedMotion: 'reduce' });
let address = '', drawn = 0;
const trouble = text => troubles.push(`${basename(address)}: ${text}`);
page.on('pageerror', error => trouble('error: ' + error.message));
page.on('console', message => message.type() === 'error' && trouble('console: ' + message.text()));
page.on('request', request => request.url() !== address && trouble('request: ' + request.url().slice(0, 100)));

/* coloured pixels of each canvas: curves have them, axes and grids have not */
const inked = () => page.evaluate(() => [...document.querySelectorAll('canvas')].map(canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) count++;
  return count;
}));

async function look(path) {
  address = 'file://' + path;
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(address);
  const plots = await page.evaluate(() => window.bristleReady()), ink = await inked();
  drawn += plots;
  if (ink.length !== plots) trouble(`${ink.length} canvases for ${plots} plots`);
  ink.forEach((count, i) => count > 100 || trouble(`canvas ${i} has ${count} coloured pixels`));
  (await inspect(page)).forEach(trouble);
  const links = await page.locator('nav .thumbs a').count(), small = await page.locator('nav .thumbs svg').count();
  if (small < links - 2) trouble(`${small} thumbnails for ${links} figures`);
  for (const link of await page.locator('p.link a').evaluateAll(all => all.map(a => a.getAttribute('href')))) {
    const [file, anchor] = link.split('#');
    if (anchor && !readFileSync(join(dirname(path), file), 'utf8').includes(`<section id="${anchor}">`)) trouble(`${link} leads nowhere`);
  }
  if (shots) {
    const sections = page.locator('section');
    for (let i = 0; i < await sections.count(); i++) await sections.nth(i).screenshot({ path: `${shots}/${basename(path, '.html')}-${i + 1}.png` });
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.evaluate(() => window.bristleReady()); /* pictures follow the width a frame later */
  (await inspect(page)).forEach(what => trouble('390 wide: ' + what));
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  (await inspect(page)).forEach(what => trouble('dark: ' + what));
}

for (const path of paths) await look(path);
if (paths.length > 1 && drawn < 50) troubles.push(`only ${drawn} plots`);
await browser.close();
for (const what of troubles) console.log('FAIL ' + what);
console.log(`${drawn} plots drawn`);
process.exit(troubles.length ? 1 : 0);
