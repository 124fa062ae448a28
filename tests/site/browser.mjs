// Every page of the site, as a reader sees it: node tests/site/browser.mjs FOLDER [PART_OF_A_NAME]
// From the folder, in light, in dark and at 390 px: contrast, alternative texts, labels, no error, no request beyond the
// folder, nothing that makes a phone scroll sideways. Search finds a law. With SHOTS=folder it leaves pictures there.
import { readdirSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

const folder = resolve(process.argv[2]), only = process.argv[3] || '', shots = process.env.SHOTS;
const names = readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.html') && name.includes(only)
  && !name.startsWith('_static') && !name.startsWith('playground/')).sort();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
let passed = 0, failed = 0;

function check(condition, what) {
  if (condition) passed++;
  else failed++, console.log('FAIL ' + what);
}

/* texts whose contrast with what is behind them is too low (WCAG 2.1, AA) */
function faint() {
  const parse = text => { const n = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number); return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1]; };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = c => { const [r, g, b] = c.slice(0, 3).map(x => (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), parse(getComputedStyle(document.body).backgroundColor));
  };
  const bad = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    if (!text || element.closest('script, style, noscript, title, [hidden]')) continue;
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (style.visibility === 'hidden' || style.display === 'none' || !box.width || style.opacity === '0' || box.right < 0) continue;
    if (element.closest('.headerlink, .visually-hidden, .skip-to-content')) continue;
    const colour = parse(element.closest('svg') ? style.fill : style.color), under = behind(element);
    const [a, b] = [light(over(colour, under)), light(under)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && +style.fontWeight >= 700;
    if (ratio < (large ? 3 : 4.5)) bad.set(`${element.tagName}.${element.className.baseVal ?? element.className}`, `${ratio.toFixed(2)} "${text.slice(0, 30)}"`);
  }
  return [...bad].map(([where, what]) => `${where} ${what}`);
}

/* what a reader without eyes, or without a mouse, would miss */
function nameless() {
  const out = [], named = e => (e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.title || e.textContent).trim();
  for (const e of document.querySelectorAll('img')) if (!e.hasAttribute('alt')) out.push('img without alt ' + e.src);
  for (const e of document.querySelectorAll('svg.plot')) if (e.getAttribute('role') !== 'img' || !named(e)) out.push('picture without name');
  for (const e of document.querySelectorAll('input, select, textarea'))
    if (e.type !== 'hidden' && !e.classList.contains('sidebar-toggle') && !e.classList.contains('toctree-checkbox')
      && !e.labels?.length && !e.getAttribute('aria-label') && !e.placeholder) out.push('field without label ' + e.id + e.name);
  for (const e of document.querySelectorAll('button, a[href]')) if (!named(e) && !e.querySelector('svg, img')) out.push('nameless ' + e.outerHTML.slice(0, 80));
  if (!document.documentElement.lang) out.push('no language');
  if (document.querySelectorAll('h1').length !== 1 && !location.pathname.endsWith('/search.html'))
    out.push(document.querySelectorAll('h1').length + ' first headings');
  const levels = [...document.querySelectorAll('article h1, article h2, article h3, article h4')].map(e => +e.tagName[1]);
  if (levels.some((level, i) => i && level > levels[i - 1] + 1)) out.push('a heading level is left out');
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  if (new Set(ids).size !== ids.length) out.push('ids twice: ' + ids.filter((id, i) => ids.indexOf(id) !== i).slice(0, 3));
  return out;
}

/* how far the page, or anything on it that does not scroll by itself, reaches beyond the window */
function sideways() {
  let beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  for (const e of document.querySelectorAll('article *')) {
    const box = e.getBoundingClientRect();
    if (!box.width || !box.height || box.right <= innerWidth + 1) continue;
    if (e.closest('pre, .highlight, .table-wrapper, .math, .equations, .visually-hidden')) continue;
    beyond = Math.max(beyond, Math.ceil(box.right - innerWidth));
  }
  return beyond;
}

async function shot(page, name, kind) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name.replaceAll('/', '_').replace('.html', '')}.${kind}.png`, fullPage: true });
}

async function look(page, name) {
  const address = 'file://' + folder + '/' + name;
  page.troubles = [];
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(address);
  const said = await page.evaluate(nameless);
  check(!said.length, `${name}: ${said.slice(0, 4).join('; ')}`);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    const bad = await page.evaluate(faint);
    check(!bad.length, `${name}, ${scheme}: faint ${bad.slice(0, 4).join('; ')}`);
    await shot(page, name, scheme);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const beyond = await page.evaluate(sideways);
  check(beyond <= 0, `${name}: at 390 px it scrolls sideways by ${beyond} px`);
  await shot(page, name, 'phone');
  check(!page.troubles.length, `${name}: ${page.troubles.join('; ')}`);
}

async function reader(queue) {
  const page = await (await browser.newContext()).newPage();
  page.troubles = [];
  page.on('pageerror', error => page.troubles.push('error: ' + error.message));
  page.on('console', message => message.type() === 'error' && page.troubles.push('console: ' + message.text()));
  page.on('request', request => !/^(file|data|blob):/.test(request.url()) && page.troubles.push('request: ' + request.url()));
  page.on('requestfailed', request => page.troubles.push('failed: ' + request.url()));
  for (let name; (name = queue.shift());) await look(page, name);
  return page;
}

/* do the checks see what they look for? */
async function checks_can_fail(page) {
  await page.goto('file://' + folder + '/index.html');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => document.querySelector('article').insertAdjacentHTML('beforeend',
    '<p class="probe" style="color:#999;background:#fff">faint</p><img src="data:,"><input id="lone"><div style="width:3000px">wide</div>'));
  check((await page.evaluate(faint)).some(text => text.includes('probe')), 'faint text is not seen');
  check((await page.evaluate(nameless)).length === 2, 'missing names are not seen');
  check(await page.evaluate(sideways) > 0, 'a wide page is not seen');
}

/* the first page: small, with the picture, three doors, and the playground only when it is asked for; code has a button that copies it */
async function home(page) {
  const bodies = [], count = response => bodies.push(response.body().catch(() => ''));
  page.on('response', count);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('file://' + folder + '/index.html');
  await page.waitForLoadState('load');
  await page.waitForTimeout(300);
  page.off('response', count);
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
  check(bytes > 20000 && bytes < 1e6, `the first page loads ${bytes} bytes`);
  check(await page.locator('.doors > div').count() === 3, 'not three doors');
  check(await page.locator('p.home-picture img').evaluate(img => img.naturalWidth > 100), 'the picture is not there');
  await page.locator('button.play').click();
  const inside = await (await page.waitForSelector('iframe.play')).contentFrame();
  await inside.waitForFunction(() => window.playground?.explorer.took, null, { polling: 100 });
  await page.goto('file://' + folder + '/laws/gms.html');
  await page.locator('button.play').click();
  const law = await (await page.waitForSelector('iframe.play')).contentFrame();
  await law.waitForFunction(() => window.playground?.explorer.took, null, { polling: 100 });
  check(await law.locator('#law').inputValue() === 'gms' && await law.locator('#identify').isHidden(), 'the page of gms shows another law');
  await page.goto('file://' + folder + '/start.html');
  await page.evaluate(() => (navigator.clipboard.writeText = text => ((window.copied = text), Promise.resolve())));
  await page.locator('button.copy:visible').first().click();
  check(await page.evaluate(() => window.copied?.length > 3 && !window.copied.includes('$ ')), 'copying gives the prompt, too');
  const lone = await page.evaluate(() => [...document.querySelectorAll('article pre')].filter(pre => /^(build\/)?bristle |^make |^pip /.test(pre.textContent)
    && !pre.parentElement.querySelector('button.copy')?.checkVisibility()).length);
  check(lone === 0, `${lone} blocks of commands cannot be copied`);
  const cut = await page.evaluate(() => [...document.querySelectorAll('article pre')].filter(pre => pre.scrollWidth > pre.clientWidth + 1).length);
  check(cut === 0, `${cut} blocks of code are cut`);
}

const queue = [...names];
const pages = await Promise.all([reader(queue), reader(queue)]);
await checks_can_fail(pages[1]);
if (!only) {
  const page = pages[0];
  await page.setViewportSize({ width: 1280, height: 900 });
  page.troubles = [];
  await page.goto('file://' + folder + '/search.html?q=elasto_plastic');
  check(/laws\/elasto_plastic/.test(await page.locator('#search-found a').first().getAttribute('href')), 'search does not find elasto_plastic first');
  check(await page.locator('#search-found mark').count() > 3, 'results have no excerpts');
  /* what people look for is among the first five sections */
  for (const [query, wanted] of [['windows', 'windows'], ['simulink', 'platforms'], ['ROS', 'platforms'], ['arduino', 'platforms'], ['stick slip', 'effects|stick|laws|gallery'],
    ['which law', 'choosing'], ['benchmark', 'benchmarks'], ['--lead screw', 'identify'], ['bristle_identify', '^c/'], ['held out', 'identify|choosing'], ['not determined', 'identify|errors|choosing']]) {
    const best = await page.evaluate(words => window.rankSearch(words).slice(0, 5), query);
    check(best.some(address => new RegExp(wanted).test(address)), `search for '${query}' gives ${best}`);
  }
  check(!page.troubles.length, 'search: ' + page.troubles.join('; '));
}
/* to the playground and back, and from the playground of `make playground` */
async function round_trip(page) {
  page.troubles = [];
  await page.goto('file://' + folder + '/playground.html');
  const link = page.locator('a[href="playground/index.html"]');
  if (!await link.count()) return console.log('the playground was not built');
  await link.click();
  await page.waitForURL('**/playground/index.html');
  await page.waitForFunction(() => window.playground?.explorer.took, null, { polling: 100 });
  await page.locator('a.site').click();
  await page.waitForLoadState('load'); /* the next page would cut off what this one still loads */
  check(page.url() === 'file://' + folder + '/index.html', `the playground leads to ${page.url()}`);
  await page.goto('file://' + resolve(folder, '../../playground/index.html'));
  await page.locator('a.site').click();
  await page.waitForLoadState('load');
  check(page.url().endsWith('site/html/index.html'), `make playground leads to ${page.url()}`);
  check(!page.troubles.length, 'to the playground and back: ' + page.troubles.join('; '));
}
if (!only) await round_trip(pages[0]);
if (!only) await home(pages[0]);
check(names.length > (only ? 0 : 100), `only ${names.length} pages`);
await browser.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
