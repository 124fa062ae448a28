// What an accessibility checker would look at, on any page: contrast of texts, names of controls and pictures, one
// language and title, order of headings, no scrolling sideways.

/* runs in the page: a list of complaints */
function complaints() {
  const found = [], visible = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getClientRects().length;
  const say = (element, what) => found.length < 12
    && found.push(`${what}: <${element.tagName.toLowerCase()} ${element.id || element.className?.baseVal || element.className || ''}> ${element.textContent.trim().slice(0, 40)}`);

  const parse = text => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (/^(rgb|rgba)\(/.test(colour)) layers.push(parse(colour));
      if (layers.at(-1)?.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const contrast = element => {
    const style = getComputedStyle(element), svg = element instanceof SVGElement, back = behind(svg ? element.ownerSVGElement.parentElement : element);
    const front = over(parse(svg ? style.fill : style.color), back), [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) say(element, `contrast ${ratio.toFixed(2)}`);
  };
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('script, style, noscript, iframe, option, optgroup') || element.matches(':disabled') || !visible(element)) continue;
    if ([...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())) contrast(element);
  }

  const named = element => element.getAttribute('aria-label')?.trim() || element.title?.trim()
    || (element.getAttribute('aria-labelledby') || '').split(' ').map(id => document.getElementById(id)?.textContent ?? '').join('').trim()
    || [...(element.labels ?? [])].map(label => label.textContent).join('').trim();
  for (const e of document.querySelectorAll('input:not([type=hidden]), select, textarea, progress, iframe')) if (!named(e)) say(e, 'no label');
  for (const e of document.querySelectorAll('button, a[href], summary')) if (!e.textContent.trim() && !named(e)) say(e, 'no name');
  for (const e of document.querySelectorAll('img:not([alt])')) say(e, 'no alternative text');
  for (const e of document.querySelectorAll('svg, canvas'))
    if (!e.closest('[aria-hidden=true], [role=img], [aria-label]') && !named(e) && !e.querySelector('title')) say(e, 'no alternative text');
  if (!document.documentElement.lang) found.push('no language');
  if (!document.title.trim()) found.push('no title');
  if (document.querySelectorAll('h1').length !== 1) found.push(`${document.querySelectorAll('h1').length} main headings`);
  let last = 1;
  for (const h of document.querySelectorAll('h1, h2, h3, h4, h5')) {
    const level = Number(h.tagName[1]);
    if (level > last + 1) say(h, `heading ${level} after ${last}`);
    last = level;
  }
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id), twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice) found.push(`the id ${twice} is there twice`);
  for (const a of document.querySelectorAll('a[href^="#"]'))
    if (a.getAttribute('href').length > 1 && !document.getElementById(decodeURIComponent(a.getAttribute('href').slice(1)))) say(a, 'leads nowhere');
  if (document.documentElement.scrollWidth > innerWidth) {
    found.push(`wider than the window: ${document.documentElement.scrollWidth}`);
    for (const e of document.body.querySelectorAll('*'))
      if (e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, pre')) { say(e, 'sticks out'); break; }
  }
  return found;
}

export const inspect = page => page.evaluate(complaints);
