import type { NestApplicationOptions, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { refuse } from './environment.js';

/** What the application of a scenario is made of. */
export interface Scenario {
  module: Type;
  options?: NestApplicationOptions;
  setUp?: (app: NestFastifyApplication) => void | Promise<void>;
}

// Imported lazily, so that a process holds the code of its own scenario only.
const scenarios: Record<string, () => Promise<Scenario>> = {
  hello: async () => ({ module: (await import('./hello/hello.module.js')).HelloModule }),
  middleware: async () => {
    const { MiddlewareModule } = await import('./middleware/middleware.module.js');
    return { module: MiddlewareModule };
  },
  json: async () => ({ module: (await import('./json/json.module.js')).JsonModule }),
  blog: async () => {
    const { BlogModule, setUpFiles } = await import('./blog/blog.module.js');
    const { setUpViews } = await import('./views.js');
    const setUp = (app: NestFastifyApplication) => {
      setUpViews(app);
      setUpFiles(app);
    };
    return { module: BlogModule, setUp };
  },
  static: async () => {
    const { StaticModule, setUpFiles } = await import('./static/static.module.js');
    return { module: StaticModule, setUp: setUpFiles };
  },
  sha256: async () => ({ module: (await import('./sha256/sha256.module.js')).Sha256Module }),
  'session-counter': async () => {
    const { SessionCounterModule, setUpSessions } = await import(
      './session-counter/session-counter.module.js'
    );
    return { module: SessionCounterModule, setUp: setUpSessions };
  },
  'point-lookup': async () => {
    const { PointLookupModule } = await import('./point-lookup/point-lookup.module.js');
    return { module: PointLookupModule };
  },
  queries: async () => ({ module: (await import('./queries/queries.module.js')).QueriesModule }),
  updates: async () => ({ module: (await import('./updates/updates.module.js')).UpdatesModule }),
  fortunes: async () => {
    const { FortunesModule } = await import('./fortunes/fortunes.module.js');
    const { setUpViews } = await import('./views.js');
    return { module: FortunesModule, setUp: setUpViews };
  },
  page: async () => {
    const { PageModule } = await import('./page/page.module.js');
    const { setUpViews } = await import('./views.js');
    return { module: PageModule, setUp: setUpViews };
  },
  cached: async () => ({ module: (await import('./cached/cached.module.js')).CachedModule }),
  upload: async () => {
    const { UploadModule, setUpBodies } = await import('./upload/upload.module.js');
    return { module: UploadModule, options: { bodyParser: false }, setUp: setUpBodies };
  },
  stream: async () => ({ module: (await import('./stream/stream.module.js')).StreamModule }),
  sse: async () => ({ module: (await import('./sse/sse.module.js')).SseModule }),
  'websocket-echo': async () => {
    const { WebsocketEchoModule, setUpWebSockets } = await import(
      './websocket-echo/websocket-echo.module.js'
    );
    return { module: WebsocketEchoModule, setUp: setUpWebSockets };
  },
};

const scenario = process.env.WEBDYNO_SCENARIO ?? '';

if (!Object.hasOwn(scenarios, scenario)) {
  const known = Object.keys(scenarios).join(', ');
  refuse(`WEBDYNO_SCENARIO is ${JSON.stringify(scenario)}: expected one of ${known}`);
}

/** Imports what the scenario that WEBDYNO_SCENARIO names is made of. */
export function loadScenario(): Promise<Scenario> {
  return scenarios[scenario]();
}
