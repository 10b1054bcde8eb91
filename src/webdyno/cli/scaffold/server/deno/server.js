// The handler of each scenario.
const apps = {
  hello(request) {
    if (request.method !== 'GET' || new URL(request.url).pathname !== '/hello') {
      return new Response('Not Found', { status: 404 });
    }
    return new Response('Hello World');
  },
};

const scenario = Deno.env.get('WEBDYNO_SCENARIO');
if (!Object.hasOwn(apps, scenario)) {
  console.error(`WEBDYNO_SCENARIO is '${scenario}'; one of: ${Object.keys(apps).join(', ')}`);
  Deno.exit(2);
}

const server = Deno.serve(
  { hostname: Deno.env.get('HOST') ?? '127.0.0.1', port: Number(Deno.env.get('PORT')) },
  apps[scenario],
);

Deno.addSignalListener('SIGTERM', async () => {
  // Lets requests in flight end, then cuts what is left.
  setTimeout(() => Deno.exit(), 1000);
  await server.shutdown();
  Deno.exit();
});
