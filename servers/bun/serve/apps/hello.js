export default {
  '/hello': { GET: () => new Response('Hello World') },
};
