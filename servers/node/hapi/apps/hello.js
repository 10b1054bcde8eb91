export function register(server) {
  server.route({
    method: 'GET',
    path: '/hello',
    handler: (request, h) => h.response('Hello World').type('text/plain'),
  });
}
