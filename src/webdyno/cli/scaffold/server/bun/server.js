// The routes of each scenario.
const apps = {
  hello: {
    '/hello': { GET: () => new Response('Hello World') },
  },
};

const scenario = process.env.WEBDYNO_SCENARIO;
if (!Object.hasOwn(apps, scenario)) {
  console.error(`WEBDYNO_SCENARIO is '${scenario}'; one of: ${Object.keys(apps).join(', ')}`);
  process.exit(2);
}

const server = Bun.serve({
  hostname: process.env.HOST ?? '127.0.0.1',
  port: Number(process.env.PORT),
  idleTimeout: 75,
  routes: apps[scenario],
  fetch: () => new Response('Not Found', { status: 404 }),
});

process.once('SIGTERM', async () => {
  // Lets requests in flight end, then cuts what is left.
  setTimeout(() => process.exit(), 1000).unref();
  await server.stop();
  process.exit();
});
