import { numbers } from '../lib/random.js';

export function register(server) {
  server.route({ method: 'GET', path: '/json', handler: () => numbers() });
}
