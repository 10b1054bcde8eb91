import { numbers } from '../lib/random.js';

const keys = Array.from({ length: 10 }, (_, index) => `Test Number ${index + 1}`);

// From the schema of the answer Fastify compiles its serialiser.
const schema = {
  response: {
    200: {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, { type: 'integer' }])),
    },
  },
};

export default async function json(fastify) {
  fastify.get('/json', { schema }, async () => numbers());
}
