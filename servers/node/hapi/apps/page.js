import { pool } from '../lib/database.js';
import { registerViews } from '../lib/views.js';

export async function register(server) {
  await registerViews(server);

  server.route({
    method: 'GET',
    path: '/page',
    handler: async (request, h) => {
      // With a name, it is prepared once a connection.
      const text = 'SELECT title, author, summary FROM articles ORDER BY number';
      const { rows } = await pool.query({ name: 'articles', text });
      return h.view('page', { articles: rows });
    },
  });
}
