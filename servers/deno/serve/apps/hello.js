export default {
  'GET /hello': () => new Response('Hello World'),
};
