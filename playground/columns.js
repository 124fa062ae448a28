/* The columns of a record: their names for the lists, and a preview of position and force. The tool itself reads the file. */
'use strict';

const LOOKED_AT = 4e6, PREVIEW = 1500;
const GUESS = { 'time-column': /^(t|time|zeit|timestamp)\b/i, 'position-column': /^(x|q\d*|pos|position|angle|weg|winkel|lage)/i,
  'velocity-column': /^(v|dq\d*|vel|speed|geschw|drehzahl)/i, 'force-column': /(force|torque|tau|current|strom|kraft|moment|^f\b|^i\b)/i };

/* names and numbers of a table with commas, semicolons or tabs; decimal commas too */
function sniff(bytes) {
  const lines = new TextDecoder().decode(bytes.slice(0, LOOKED_AT)).split(/\r\n|\n|\r/).filter(line => line.trim() && line[0] !== '#');
  const sample = lines[Math.min(lines.length - 1, 5)] ?? '', mark = ['\t', ';', ','].find(c => sample.includes(c)) ?? /\s+/;
  const read = text => Number((mark === ',' ? text : text.replace(',', '.')).replace(/^"|"$/g, '') || NaN);
  const rows = lines.map(line => line.trim().split(mark).map(cell => cell.trim()));
  const first = rows.findIndex(row => row.length > 1 && row.every(cell => Number.isFinite(read(cell))));
  if (first < 0) return null;
  const names = first > 0 ? rows.slice(0, first).reverse().find(row => row.length === rows[first].length) : null;
  const stride = Math.max(1, Math.ceil((rows.length - first) / PREVIEW)), data = rows[first].map(() => []);
  for (let i = first; i < rows.length; i += stride) data.forEach((list, k) => list.push(read(rows[i][k] ?? '')));
  return { names: data.map((_, k) => names?.[k]?.replace(/^"|"$/g, '') || `column ${k + 1}`), data };
}

class Columns {
  constructor() {
    this.plot = new Plot($('preview'));
    for (const id of Object.keys(GUESS)) $(id).addEventListener('change', () => this.draw());
    this.fill(null);
  }

  fill(found) {
    this.found = found;
    for (const id of Object.keys(GUESS)) {
      const options = (found?.names ?? []).map((name, k) => make('option', { value: '#' + (k + 1), textContent: name }));
      $(id).replaceChildren(make('option', { value: '', textContent: found ? 'recognised by name' : 'choose a file first' }), ...options);
    }
    $('force-factor').value = '';
    this.draw();
  }

  /* '#3': the column that was chosen, or the one whose name says it; null: none */
  place(id) {
    const guess = this.found?.names.findIndex(name => GUESS[id].test(name)) ?? -1;
    return $(id).value || (guess < 0 ? null : '#' + (guess + 1));
  }

  column(id) {
    const place = this.place(id), k = Number(place?.slice(1)) - 1;
    return place ? { name: this.found.names[k], values: this.found.data[k] } : null;
  }

  draw() {
    $('preview').hidden = !this.found;
    if (!this.found) return;
    const time = this.column('time-column') ?? { values: this.found.data[0].map((_, i) => i) };
    const series = [['position-column', 'c0'], ['force-column', 'c1']].flatMap(([id, colour]) => {
      const column = this.column(id);
      if (!column) return [];
      const finite = column.values.filter(Number.isFinite), low = Math.min(...finite), high = Math.max(...finite);
      return [{ name: column.name, colour, x: time.values, y: column.values.map(v => (v - low) / (high - low || 1)) }];
    });
    $('preview').querySelector('figcaption span').textContent = series.length
      ? `${series.map((s, i) => `${i ? 'orange' : 'blue'}: ${s.name}`).join(', ')}; each between its smallest and largest value.` : 'Choose the columns.';
    if (series.length) this.plot.show({ x: { name: 'time', unit: '', tight: true }, y: { name: 'part of the range', unit: '' }, series });
  }
}
