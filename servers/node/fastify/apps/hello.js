export default async function hello(fastify) {
  fastify.get('/hello', async () => 'Hello World');
}
