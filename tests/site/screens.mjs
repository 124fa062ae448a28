// Screens of pages: node tests/site/screens.mjs FOLDER [NAME=]PAGE...  1440 and 390 px wide, light and dark, as a reader sees them first.
import { basename, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [folder, ...given] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
let troubles = 0;
for (const text of given) {
  const [, name, path] = text.match(/^(?:(\w+)=)?(.*)$/), [file, query] = path.split('?'), title = name ?? basename(file, '.html');
  for (const [width, height] of [[1440, 900], [390, 844]])
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
      page.on('pageerror', error => (troubles++, console.log(`${title}: ${error.message}`)));
      await page.goto('file://' + resolve(file) + (query ? '?' + query : ''));
      await page.waitForTimeout(600);
      await page.screenshot({ path: join(folder, `${title}-${width}-${colorScheme}.png`) });
      await page.close();
    }
}
await browser.close();
process.exit(troubles ? 1 : 0);
