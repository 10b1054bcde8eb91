import { escapeHTML, page } from '../lib/answer.js';
import { readFortunes } from '../lib/rows.js';

const row = ({ id, message }) => `
    <tr><td>${id}</td><td>${escapeHTML(message)}</td></tr>`;

const table = (fortunes) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Fortunes</title>
</head>
<body>
  <table>
    <tr><th>id</th><th>message</th></tr>${fortunes.map(row).join('')}
  </table>
</body>
</html>
`;

async function fortunes(_request, query) {
  const added = query.get('added');
  if (!added) {
    return new Response('added must be a text', { status: 400 });
  }
  return page(table(await readFortunes(added)));
}

export default {
  'GET /fortunes': fortunes,
};
