import { refuse } from './lib/environment.js';

// Imported lazily, so that a process holds the code of its own scenario only.
const apps = {
  hello: () => import('./apps/hello.js'),
  middleware: () => import('./apps/middleware.js'),
  json: () => import('./apps/json.js'),
  blog: () => import('./apps/blog.js'),
  sha256: () => import('./apps/sha256.js'),
  'session-counter': () => import('./apps/session-counter.js'),
  page: () => import('./apps/page.js'),
  'point-lookup': () => import('./apps/point-lookup.js'),
  queries: () => import('./apps/queries.js'),
  updates: () => import('./apps/updates.js'),
  fortunes: () => import('./apps/fortunes.js'),
  cached: () => import('./apps/cached.js'),
  upload: () => import('./apps/upload.js'),
  stream: () => import('./apps/stream.js'),
  sse: () => import('./apps/sse.js'),
  'websocket-echo': () => import('./apps/websocket-echo.js'),
};

const scenario = process.env.WEBDYNO_SCENARIO;

if (!Object.hasOwn(apps, scenario)) {
  const known = Object.keys(apps).join(', ');
  refuse(`WEBDYNO_SCENARIO is ${JSON.stringify(scenario)}: expected one of ${known}`);
}

/** Imports the routes of the scenario that WEBDYNO_SCENARIO names. */
export async function loadRoutes() {
  const module = await apps[scenario]();
  return module.default;
}
