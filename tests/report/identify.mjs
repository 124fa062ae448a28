// The page of `bristle identify` beside its JSON: verdict first with a picture, numbers as in the JSON, one section for
// all records, one foldable part. node tests/report/identify.mjs PAGE JSON.  With SHOTS=folder it leaves pictures there.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { chromium } from 'playwright-core';
import { inspect } from './checks.mjs';

const [path, json] = process.argv.slice(2), shots = process.env.SHOTS, result = JSON.parse(readFileSync(json, 'utf8'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
let failed = 0;
const check = (condition, what) => condition || (failed++, console.log('FAIL ' + what));

const page = await browser.newPage({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' });
await page.goto('file://' + path);
const heads = await page.locator('h2').allTextContents();
const badge = await page.locator('.card .badge').textContent();
check((badge === 'Do not use this model') === (result.doubt !== null), `the badge says ${badge}`);
check(heads[0] === await page.locator('.card h2').textContent() && heads[1] === 'Verdict', `the page begins with ${heads[0]}, ${heads[1]}`);
check(heads.length <= 8, `${heads.length} sections: ${heads}`);
check(await page.locator('#s1 figure.plot').count() > 0, 'the verdict has no picture');
check(await page.locator('details').count() === 1, 'not one foldable part');
check(!await page.locator('details figure').first().isVisible(), 'the details are not folded');
check((await page.locator('#s1 .notice').count() > 0) === (result.doubt !== null), 'doubt and notice differ');

/* the table of a section, as texts */
const table = async head => {
  const section = page.locator('section').filter({ has: page.locator('h2', { hasText: new RegExp(`^${head}`) }) });
  return section.locator('table.data').first().locator('tbody tr').evaluateAll(rows => rows.map(row =>
    [...row.cells].map(cell => cell.textContent)));
};
const best = result.results[0], ranking = await table('Ranking'), marked = page.locator('tr.marked');
check(ranking.length === result.results.length, `${ranking.length} laws, ${result.results.length} in the JSON`);
const lead = ranking.find(row => row[0] === best.variant) ?? [];
check(await marked.count() === 1 && await marked.locator('td').first().textContent() === best.variant && /^leads/.test(lead.at(-1)), `the winner is ${lead}`);
check(parseFloat(lead[4]) === +best.held_out_rms.toPrecision(4), `held out ${lead[4]}, JSON ${best.held_out_rms}`);
if (best.held_out_slow_rms !== null)
  check(parseFloat(lead.at(-2)) === +best.held_out_slow_rms.toPrecision(4), `slow ${lead.at(-2)}`);
const errors = ranking.map(row => parseFloat(row[4])).filter(Number.isFinite);
check(errors.every((x, i) => !i || x >= errors[i - 1]), `the ranking is not in the order of a column: ${errors}`);
const records = await table('Record'), data = [...result.data, ...(result.validation ? [result.validation] : [])];
check(records.length === data.length, `${records.length} records, ${data.length} in the JSON`);
data.forEach((d, i) => check(records[i][5] === (100 * d.relative_error).toFixed(3) + ' %',
  `${records[i][0]}: ${records[i][5]}, JSON ${d.relative_error}`));
const plots = await page.evaluate(() => window.bristleReady());
check(plots <= 20, `${plots} plots`);
check(statSync(path).size < 3e6, `${statSync(path).size} bytes`);
for (const what of await inspect(page)) check(false, what);
if (shots) await page.screenshot({ path: `${shots}/${basename(path, '.html')}-390.png`, fullPage: true });
await browser.close();
process.exit(failed ? 1 : 0);
