import { pool } from '../lib/database.js';
import { registerViews } from '../lib/views.js';

export default async function page(fastify) {
  registerViews(fastify);

  fastify.get('/page', async (request, reply) => {
    // With a name, it is prepared once a connection.
    const text = 'SELECT title, author, summary FROM articles ORDER BY number';
    const { rows } = await pool.query({ name: 'articles', text });
    return reply.viewAsync('page', { articles: rows });
  });
}
