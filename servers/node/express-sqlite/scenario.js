import { refuse } from './lib/environment.js';

const apps = {
  'session-counter': () => import('./apps/session-counter.js'),
};

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
