import { refuse } from './lib/environment.js';

// Imported lazily, so that a process holds the code of its own scenario only.
const apps = {
  hello: () => import('./apps/hello.js'),
  middleware: () => import('./apps/middleware.js'),
  static: () => import('./apps/static.js'),
  'stack-3': () => import('./apps/stack-3.js'),
  'stack-8': () => import('./apps/stack-8.js'),
};

// The same stacks of the packages that node/koa uses, instead of kwan's own small ones.
if (process.env.PACKAGES === 'koa') {
  apps['stack-3'] = () => import('./apps/koa-packages/stack-3.js');
  apps['stack-8'] = () => import('./apps/koa-packages/stack-8.js');
}

const scenario = process.env.WEBDYNO_SCENARIO;

if (!Object.hasOwn(apps, scenario)) {
  const known = Object.keys(apps).join(', ');
  refuse(`WEBDYNO_SCENARIO is ${JSON.stringify(scenario)}: expected one of ${known}`);
}

/** Imports the application that WEBDYNO_SCENARIO names. */
export async function loadApp() {
  const module = await apps[scenario]();
  return module.default;
}
