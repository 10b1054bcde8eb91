import express from 'express';

/**
 * An application with the settings that all scenarios share.
 *
 * Express hashes each answer for a weak ETag unless it is told not to, which no other framework of
 * Node.js here does unasked; ETAG=weak is its own default.
 */
export function application() {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', process.env.ETAG ?? false);
  return app;
}
