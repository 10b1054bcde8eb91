import { fileURLToPath } from 'node:url';

import view from '@fastify/view';
import ejs from 'ejs';

/** Lets the answers of `fastify` be rendered from the folder views. */
export function registerViews(fastify) {
  fastify.register(view, {
    engine: { ejs },
    root: fileURLToPath(new URL('../views', import.meta.url)),
    viewExt: 'ejs',
  });
}
