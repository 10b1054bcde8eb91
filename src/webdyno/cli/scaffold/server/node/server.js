const { createServer } = require('node:http');

const apps = {
  hello(request, response) {
    if (request.url !== '/hello') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': 11 });
    response.end('Hello World');
  },
};

const scenario = process.env.WEBDYNO_SCENARIO;
if (!Object.hasOwn(apps, scenario)) {
  console.error(`WEBDYNO_SCENARIO is '${scenario}'; one of: ${Object.keys(apps).join(', ')}`);
  process.exit(2);
}

const server = createServer({ keepAliveTimeout: 75_000 }, apps[scenario]);
server.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');

process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
