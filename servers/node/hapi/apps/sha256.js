import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import Joi from 'joi';

import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');

// A pattern rather than a number with its limits: conversion would take "1e3", too.
const query = Joi.object({
  n: Joi.string()
    .pattern(/^([1-9][0-9]{0,4}|100000)$/)
    .required(),
});

/** The last of `rounds` digests: SHA-256 of `content` and, from the second on, the one before. */
function digestChain(content, rounds) {
  let digest = createHash('sha256').update(content).digest();
  for (let round = 2; round <= rounds; round += 1) {
    digest = createHash('sha256').update(content).update(digest).digest();
  }
  return digest.toString('hex');
}

export function register(server) {
  server.route({
    method: 'GET',
    path: '/benchmark',
    options: { validate: { query } },
    handler: async (request, h) => {
      const digest = digestChain(await readFile(file), Number(request.query.n));
      return h.response(digest).type('text/plain');
    },
  });
}
