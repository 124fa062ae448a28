/* Copy buttons on code, and the playground inside a page when it is asked for. */
'use strict';

/* commands without their prompt and without what they print */
function toCopy(pre) {
  const text = pre.textContent.replace(/\n$/, '');
  if (!/^\$ /m.test(text)) return text;
  const lines = text.split('\n'), out = [];
  lines.forEach((line, i) => {
    if (line.startsWith('$ ')) out.push(line.slice(2));
    else if (i && lines[i - 1].endsWith('\\') && out.length) out.push(line);
  });
  return out.join('\n');
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { /* pages of a folder may not use the clipboard everywhere */
    const area = Object.assign(document.createElement('textarea'), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

for (const pre of document.querySelectorAll('article div.highlight pre')) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await copy(toCopy(pre));
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  pre.parentElement.append(button);
}

for (const button of document.querySelectorAll('button.play'))
  button.addEventListener('click', () => {
    const frame = Object.assign(document.createElement('iframe'), { src: button.dataset.page, title: 'Playground', className: 'play' });
    button.replaceWith(frame);
    frame.focus();
  });
