import { STATUS_CODES } from 'node:http';

import send from '@polka/send-type';
import polka from 'polka';

/** An application whose faults are logged and answered with 500, without their details. */
export function application() {
  return polka({
    // Polka comes here for unknown paths, too, with the code 404.
    onError(error, request, response) {
      const status = Number.isInteger(error.code) ? error.code : 500;
      if (status === 500) {
        console.error(error);
      }
      send(response, status, STATUS_CODES[status]);
    },
  });
}

/** `handler`, which may be asynchronous: polka knows only of errors that are given to `next`. */
export function caught(handler) {
  return (request, response, next) => {
    handler(request, response).catch(next);
  };
}
