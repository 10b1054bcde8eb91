import { Readable } from 'node:stream';

import Boom from '@hapi/boom';
import Joi from 'joi';

import { pieces } from '../lib/pieces.js';

const MOST = 65_536;

// Patterns rather than numbers with their limits: conversion would take "1e3", too.
const query = Joi.object({
  n: Joi.string()
    .pattern(/^[0-9]{1,5}$/)
    .required(),
  tag: Joi.string()
    .pattern(/^[0-9]{18}$/)
    .required(),
});

export function register(server) {
  server.route({
    method: 'GET',
    path: '/stream',
    options: { validate: { query } },
    handler: (request, h) => {
      const { n, tag } = request.query;
      const count = Number(n);
      if (count < 1 || count > MOST) {
        throw Boom.badRequest(`n must be 1 to ${MOST}`);
      }
      return h.response(Readable.from(pieces(count, tag), { objectMode: false })).type('text/plain');
    },
  });
}
