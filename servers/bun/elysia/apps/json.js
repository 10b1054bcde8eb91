import { Elysia } from 'elysia';

import { numbers } from '../lib/random.js';

export default new Elysia().get('/json', () => numbers());
