/* Search over the sections of all pages (search-data.js: address, page, heading, text), ranked, with excerpts. It needs no server. */
'use strict';
(() => {
  const SHOWN = 30, EXCERPT = 220;
  /* what a reader rarely looks for comes after what explains something */
  const WEIGHTS = [[/^(changelog|errors|develop\/)/, 0.3], [/^(c|python)\//, 0.6], [/^(laws|guides|faq|start|choosing|platforms)/, 1.3]];
  const stem = word => (word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, '') : word);
  const words = text => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []).map(stem);
  const weightOf = address => (WEIGHTS.find(([kind]) => kind.test(address)) ?? [0, 1])[1];

  const entries = window.searchData.map(([address, page, heading, text]) => {
    const counts = new Map(), body = words(text);
    for (const word of body) counts.set(word, (counts.get(word) || 0) + 1);
    return { address, page, heading, text, counts, length: body.length, title: words(page), head: words(heading) };
  });
  const mean = entries.reduce((sum, e) => sum + e.length, 0) / entries.length;

  /* how often a word is there; a word that only begins so counts half */
  const frequency = (entry, word) => {
    let count = entry.counts.get(word) || 0;
    if (!count && word.length > 2) for (const [other, n] of entry.counts) if (other.startsWith(word)) count += n / 2;
    return count;
  };
  const has = (list, word) => (list.includes(word) ? 1 : word.length > 2 && list.some(other => other.startsWith(word)) ? 0.5 : 0);

  function rank(query) {
    const asked = [...new Set(words(query))];
    if (!asked.length) return [];
    const seen = asked.map(word => entries.map(e => [frequency(e, word), has(e.head, word), has(e.title, word)]));
    const rare = seen.map(list => Math.log(1 + entries.length / (1 + list.filter(([a, b, c]) => a || b || c).length)));
    const results = [];
    entries.forEach((entry, i) => {
      let score = 0, found = 0;
      asked.forEach((_, k) => {
        const [count, head, title] = seen[k][i];
        if (!count && !head && !title) return;
        found++;
        score += rare[k] * (2.2 * count / (count + 0.5 + 0.7 * entry.length / mean) + 4 * head + 3 * title);
      });
      if (!found) return;
      if (entry.head.length && asked.every(word => entry.head.includes(word))) score *= 1 + asked.length / entry.head.length;
      results.push({ entry, found, score: score * weightOf(entry.address) * (found / asked.length) ** 3 });
    });
    return results.sort((a, b) => b.score - a.score);
  }

  const safe = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

  function excerpt(text, asked) {
    const at = asked.map(word => text.toLowerCase().search(new RegExp('(?<![\\p{L}\\p{N}])' + word, 'u'))).filter(i => i >= 0);
    let from = at.length ? Math.max(0, Math.min(...at) - 60) : 0;
    if (from) from = text.indexOf(' ', from) + 1;
    let piece = text.slice(from, from + EXCERPT);
    if (from + EXCERPT < text.length) piece = piece.slice(0, piece.lastIndexOf(' ')) + ' \u2026';
    const marked = safe((from ? '\u2026 ' : '') + piece);
    return asked.length ? marked.replace(new RegExp(`(?<![\\p{L}\\p{N}#&])(${asked.join('|')})[\\p{L}\\p{N}]*`, 'giu'), '<mark>$&</mark>') : marked;
  }

  function show(query) {
    const results = rank(query), asked = [...new Set(words(query))];
    document.getElementById('search-count').textContent = !query.trim() ? '' : results.length
      ? `${results.length} section${results.length === 1 ? '' : 's'}${results.length > SHOWN ? `, the best ${SHOWN} of them` : ''}.`
      : 'Nothing found. Try fewer or shorter words.';
    document.getElementById('search-found').innerHTML = results.slice(0, SHOWN).map(({ entry }) =>
      `<li><a href="${entry.address}">${safe(entry.heading || entry.page)}</a>${entry.heading && entry.heading !== entry.page ? ` <small>${safe(entry.page)}</small>` : ''}`
      + `<p>${excerpt(entry.text, asked)}</p></li>`).join('');
  }

  const field = document.getElementById('search-words'), given = new URLSearchParams(location.search).get('q') || '';
  field.value = given;
  show(given);
  field.addEventListener('input', () => show(field.value));
  document.getElementById('search-form').addEventListener('submit', event => {
    event.preventDefault();
    show(field.value);
  });
  window.rankSearch = query => rank(query).map(({ entry }) => entry.address); /* for tests */
})();
