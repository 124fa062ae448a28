// Opens the sample pages in a browser, as a user would: node tests/report/browser.mjs FOLDER
// With SHOTS=folder it also leaves pictures of the pages there.
import { readFileSync, statSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { inspect } from './checks.mjs';

const [folder] = process.argv.slice(2), shots = process.env.SHOTS;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
let passed = 0, failed = 0;

function check(condition, what) {
  if (condition) passed++;
  else failed++, console.log('FAIL ' + what);
}

/* a page that notes whatever goes wrong */
async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage(), address = 'file://' + folder + '/' + name;
  page.troubles = [];
  page.on('pageerror', error => page.troubles.push('error: ' + error.message));
  page.on('console', message => message.type() === 'error' && page.troubles.push('console: ' + message.text()));
  page.on('request', request => request.url() !== address && page.troubles.push('request: ' + request.url().slice(0, 100)));
  page.on('requestfailed', request => page.troubles.push('failed: ' + request.url().slice(0, 100)));
  const begin = Date.now();
  await page.goto(address);
  page.loaded = Date.now() - begin;
  return page;
}

async function close(page, name) {
  check(page.troubles.length === 0, `${name}: ${page.troubles.join('; ')}`);
  await page.context().close();
}

/* how many pixels of each canvas have a saturated colour: curves do, axes and grids do not */
const inked = page => page.evaluate(() => [...document.querySelectorAll('canvas')].map(canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const most = Math.max(data[i], data[i + 1], data[i + 2]), least = Math.min(data[i], data[i + 1], data[i + 2]);
    if (data[i + 3] > 128 && most - least > 60) count++;
  }
  return count;
}));

const figure = (page, title) => page.locator('figure.plot').filter({ has: page.locator('h3', { hasText: new RegExp('^' + title + '$') }) });
const texts = (scope, selector) => scope.locator(selector).allTextContents();
const background = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
/* brings the plot into sight and returns the place of its plotting area */
async function area(plot) {
  await plot.scrollIntoViewIfNeeded();
  return plot.locator('.over').boundingBox();
}

async function drag(page, box, from, to, dy = 0) {
  await page.mouse.move(box.x + from * box.width, box.y + box.height * (0.5 - dy));
  await page.mouse.down();
  await page.mouse.move(box.x + (from + to) / 2 * box.width, box.y + box.height / 2, { steps: 4 });
  await page.mouse.move(box.x + to * box.width, box.y + box.height * (0.5 + dy), { steps: 4 });
  await page.mouse.up();
}

/* a canvas as a text, to see that it changed */
const canvasOf = plot => plot.locator('canvas').evaluate(canvas => canvas.toDataURL());

async function everyKind() {
  const page = await open('every.html');
  const count = await page.evaluate(() => window.bristleReady());
  const ink = await inked(page), empty = ['Only gaps', 'Nothing'], titles = await texts(page, 'figure.plot h3');
  check(count === 11 && ink.length === 11, `${ink.length} canvases for ${count} plots`);
  titles.forEach((title, i) => check(empty.includes(title) ? ink[i] === 0 : ink[i] > 8, `${title}: ${ink[i]} coloured pixels`));
  check(await page.title() === 'Every kind & <sort>', 'the title');
  check((await texts(page, 'pre'))[0].includes('</script><script>alert(1)'), 'code is not shown as it is');
  check((await page.locator('nav a').count()) === 4, 'contents');
  for (const what of await inspect(page)) check(false, 'light: ' + what);
  if (shots) await page.screenshot({ path: shots + '/every-light.png', fullPage: true });
  await close(page, 'every.html');
}

async function hovering() {
  const page = await open('every.html');
  await page.evaluate(() => window.bristleReady());
  const force = figure(page, 'Friction force'), slip = figure(page, 'Slip');
  let box = await area(force);
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
  const values = await texts(force, '.legend output');
  check(values[1] === '0.900\u00a0N' && values[0] === '0.800 \u2026 1.000\u00a0N', `values of the force: ${values}`);
  check(/^t = 1[78]\.\d+\u00a0ms$/.test(values[4]), `the time is ${values[4]}`);
  check((await texts(slip, '.legend output'))[0] === '3.00\u00a0\u00b5m', `the slip follows: ${await texts(slip, '.legend output')}`);
  await page.mouse.move(5, 5);
  check((await texts(force, '.legend output')).join('') === '', 'values stay when the pointer has left');
  const loop = figure(page, 'Hysteresis');
  box = await area(loop);
  await page.mouse.move(box.x + box.width * 0.95, box.y + box.height * 0.1);
  const nearest = await texts(loop, '.legend output');
  check(nearest.filter(v => / ?N$/.test(v)).length === 2 && /^x = 1\d\.\d+\u00a0\u00b5m$/.test(nearest[2]), `nearest: ${nearest}`);
  await close(page, 'hovering');
}

async function zooming() {
  const page = await open('every.html');
  await page.evaluate(() => window.bristleReady());
  const force = figure(page, 'Friction force'), slip = figure(page, 'Slip'), loop = figure(page, 'Hysteresis');
  for (const [plot, dy] of [[force, 0], [loop, 0.2]]) {
    const before = await canvasOf(plot), peer = await canvasOf(slip);
    let box = await area(plot);
    await drag(page, box, 0.3, 0.6, dy);
    check(await canvasOf(plot) !== before, 'a drag does not zoom');
    check(await plot.locator('.reset').isVisible(), 'no way back');
    check((await canvasOf(slip) !== peer) === (plot === force), 'the group does not zoom together');
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.move(5, 5);
    check(await canvasOf(plot) === before, 'a double click does not bring it back');
    check(await plot.locator('.reset').isHidden(), 'a way back from nowhere');
  }
  await loop.locator('.view').focus();
  const before = await canvasOf(loop);
  for (const key of ['+', 'ArrowRight', '-', '0']) {
    const last = await canvasOf(loop);
    await page.keyboard.press(key);
    check(await canvasOf(loop) !== last, `the key ${key} does nothing`);
  }
  check(await canvasOf(loop) === before, 'the key 0 does not bring it back');
  const name = loop.locator('.legend button').first();
  await name.focus();
  await page.keyboard.press('Enter');
  check(await name.getAttribute('aria-pressed') === 'false' && await canvasOf(loop) !== before, 'the legend does not switch');
  await name.click();
  check(await canvasOf(loop) === before, 'the legend does not switch back');
  await close(page, 'zooming');
}

async function themes() {
  const page = await open('every.html', { colorScheme: 'dark' });
  await page.evaluate(() => window.bristleReady());
  const plot = figure(page, 'Slip'), dark = await canvasOf(plot);
  check(await background(page) === 'rgb(21, 24, 28)', `dark is ${await background(page)}`);
  for (const what of await inspect(page)) check(false, 'dark: ' + what);
  if (shots) await page.screenshot({ path: shots + '/every-dark.png', fullPage: true });
  await page.locator('#theme').click();
  check(await background(page) === 'rgb(255, 255, 255)' && await canvasOf(plot) !== dark, 'no light after the switch');
  await page.locator('#theme').click();
  check(await background(page) === 'rgb(21, 24, 28)' && await canvasOf(plot) === dark, 'no dark after the switch');
  const paper = await page.pdf({ format: 'A4' });
  check(paper.length > 30000, `a PDF of ${paper.length} bytes`);
  check(await background(page) === 'rgb(21, 24, 28)', 'printing changed the theme');
  await close(page, 'themes');
}

async function smallScreens() {
  const page = await open('every.html', { viewport: { width: 380, height: 700 } });
  await page.evaluate(() => window.bristleReady());
  for (const what of await inspect(page)) check(false, 'telephone: ' + what);
  await page.setViewportSize({ width: 900, height: 700 });
  await page.evaluate(() => window.bristleReady());
  const width = await page.locator('canvas').first().evaluate(canvas => canvas.clientWidth);
  check(width > 700, `after the window grew, the plot is ${width} wide`);
  await close(page, 'small screens');
}

/* each picture as a file: PNG of the canvas, SVG that stands alone */
async function saving() {
  const page = await open('every.html');
  await page.evaluate(() => window.bristleReady());
  const slip = figure(page, 'Slip');
  for (const [kind, begins] of [['PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47])], ['SVG', Buffer.from('<svg')], ['CSV', Buffer.from('t [m')]]) {
    const [file] = await Promise.all([page.waitForEvent('download'), slip.getByRole('button', { name: kind }).click()]);
    const data = readFileSync(await file.path());
    check(file.suggestedFilename() === 'slip.' + kind.toLowerCase(), `${kind} is ${file.suggestedFilename()}`);
    check(data.subarray(0, 4).equals(begins) && data.length > (kind === 'CSV' ? 60 : 1000), `${kind} has ${data.length} bytes`);
    if (kind === 'SVG') check(/xmlns=/.test(data) && /stroke:rgb/.test(data) && !/class=|var\(/.test(data), 'the SVG needs the page');
    if (kind === 'SVG') check(/>Slip<\/text>/.test(data) && data.toString().split('>slip</text>').length > 1, 'the SVG lacks its title or legend');
    if (kind === 'PNG') {
      const { width, height } = await slip.locator('canvas').evaluate(c => ({ width: c.clientWidth, height: c.clientHeight }));
      check(data.readUInt32BE(16) === 2 * width && data.readUInt32BE(20) > 2 * height + 60, `the PNG is ${data.readUInt32BE(16)} x ${data.readUInt32BE(20)} for ${width} x ${height}`);
      check(await slip.locator('canvas').evaluate(c => c.width === Math.round(c.clientWidth * devicePixelRatio)), 'the picture keeps the size of the file');
    }
    if (kind === 'CSV') {
      const lines = data.toString().trim().split('\n');
      check(/^t \[ms\],.* \[\u00b5m\]$/.test(lines[0]) && lines.length > 3 && lines.slice(1).every(line => line.split(',').length === 2), `the CSV begins with ${lines.slice(0, 2)}`);
    }
  }
  page.troubles = page.troubles.filter(what => !/data:(image|text.csv)/.test(what)); /* the downloads themselves */
  await close(page, 'saving');
}

async function withoutScripts() {
  const page = await open('every.html', { javaScriptEnabled: false });
  check(await page.locator('figure svg').count() === 11, 'static pictures');
  check(await page.locator('.notice').isVisible(), 'no word about scripts');
  await close(page, 'without scripts');
}

async function largePages() {
  for (const [name, plots] of [['large.html', 6], ['gallery.html', 36]]) {
    const size = statSync(folder + '/' + name).size, page = await open(name);
    check(size < 5e6, `${name} has ${size} bytes`);
    check(await page.locator('canvas').count() < plots, `${name}: plots out of sight were drawn`);
    check(await page.evaluate(() => window.bristleReady()) === plots, `${name}: not ${plots} plots`);
    const ink = await inked(page);
    check(ink.length === plots && ink.every(n => n > 100), `${name}: coloured pixels ${ink}`);
    console.log(`${name}: ${(size / 1e6).toFixed(2)} MB, loaded in ${page.loaded} ms`);
    if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
    await close(page, name);
  }
}

/* the spike in two million samples is still there, with its value */
async function spikes() {
  const page = await open('large.html');
  await page.evaluate(() => window.bristleReady());
  const force = figure(page, 'Force');
  let box = await area(force);
  for (let i = 0; i < 2; i++) await drag(page, box, 0.45, 0.55);
  box = await area(force);
  let most = 0;
  for (let step = 0; step <= 200; step++) {
    await page.mouse.move(box.x + box.width * step / 200, box.y + box.height / 2);
    const text = (await texts(force, '.legend output'))[1];
    most = Math.max(most, parseFloat(text) || 0);
  }
  check(most === 3, `the spike shows ${most}`);
  await close(page, 'spikes');
}

for (const part of [everyKind, hovering, zooming, themes, smallScreens, saving, withoutScripts, largePages, spikes]) {
  try {
    await part();
  } catch (error) {
    check(false, `${part.name}: ${error.message.split('\n')[0]}`);
  }
}
await browser.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
