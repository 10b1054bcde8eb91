import { fileURLToPath } from 'node:url';

import vision from '@hapi/vision';
import ejs from 'ejs';

/** Lets the answers of `server` be rendered from the folder views. */
export async function registerViews(server) {
  await server.register(vision);
  server.views({
    engines: { ejs },
    path: fileURLToPath(new URL('../views', import.meta.url)),
  });
}
