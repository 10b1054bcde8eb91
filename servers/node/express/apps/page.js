import { fileURLToPath } from 'node:url';

import express from 'express';

import { pool } from '../lib/database.js';

const app = express();
app.disable('x-powered-by');
app.set('views', fileURLToPath(new URL('../views', import.meta.url)));
app.set('view engine', 'ejs');

app.get('/page', async (request, response) => {
  const select = 'SELECT title, author, summary FROM articles ORDER BY number';
  const { rows } = await pool.query(select);
  response.render('page', { articles: rows });
});

export default app;
