import { Hono } from 'hono';
import { html } from 'hono/html';

import { readFortunes } from '../lib/rows.js';

const app = new Hono();

const row = ({ id, message }) => html`
    <tr><td>${id}</td><td>${message}</td></tr>`;

const page = (fortunes) => html`<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Fortunes</title>
</head>
<body>
  <table>
    <tr><th>id</th><th>message</th></tr>${fortunes.map(row)}
  </table>
</body>
</html>
`;

app.get('/fortunes', async (c) => {
  const added = c.req.query('added');
  if (!added) {
    return c.text('added must be a text', 400);
  }
  return c.html(page(await readFortunes(added)));
});

export default app;
