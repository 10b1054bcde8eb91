import Joi from 'joi';

import { readFortunes } from '../lib/rows.js';
import { registerViews } from '../lib/views.js';

export async function register(server) {
  await registerViews(server);

  server.route({
    method: 'GET',
    path: '/fortunes',
    options: { validate: { query: Joi.object({ added: Joi.string().required() }) } },
    handler: async (request, h) =>
      h.view('fortunes', { fortunes: await readFortunes(request.query.added) }),
  });
}
