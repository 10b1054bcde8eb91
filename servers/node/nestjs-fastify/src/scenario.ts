import type { Type } from '@nestjs/common';

import { refuse } from './environment.js';

// Imported lazily, so that a process holds the code of its own scenario only.
const modules: Record<string, () => Promise<Type>> = {
  hello: async () => (await import('./hello/hello.module.js')).HelloModule,
  json: async () => (await import('./json/json.module.js')).JsonModule,
  sha256: async () => (await import('./sha256/sha256.module.js')).Sha256Module,
};

const scenario = process.env.WEBDYNO_SCENARIO ?? '';

if (!Object.hasOwn(modules, scenario)) {
  const known = Object.keys(modules).join(', ');
  refuse(`WEBDYNO_SCENARIO is ${JSON.stringify(scenario)}: expected one of ${known}`);
}

/** Imports the root module of the scenario that WEBDYNO_SCENARIO names. */
export function loadModule(): Promise<Type> {
  return modules[scenario]();
}
