// A click on a cell of the first map of a sweep's page gives the command that runs it: node tests/report/map.mjs PAGE COLUMN ROW
// Columns count from the left, rows from the top, both from 1. Prints the number of the cell, a tab, and the command.
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [path, column, row] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.goto('file://' + resolve(path));
const cell = page.locator('table.matrix').first().locator(`tbody tr:nth-child(${row}) td:nth-of-type(${column})`);
await cell.click();
console.log(`${await cell.getAttribute('title') ?? await cell.textContent()}\t${await page.locator('.pick code').first().textContent()}`);
await browser.close();
