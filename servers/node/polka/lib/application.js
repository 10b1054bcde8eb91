import { STATUS_CODES } from 'node:http';

import send from '@polka/send-type';
import polka from 'polka';

/** Answers what went wrong without its details, and logs faults; unknown paths come with the code 404. */
function onError(error, request, response) {
  const status = Number.isInteger(error.code) ? error.code : 500;
  if (status === 500) {
    console.error(error);
  }
  if (response.headersSent) {
    response.destroy();
  } else {
    send(response, status, STATUS_CODES[status]);
  }
}

/** An application whose faults are logged and answered with 500, without their details. */
export function application() {
  return polka({ onError });
}

/** `handler`, which is asynchronous: Polka awaits none, and gives no `next` where no middleware runs. */
export function caught(handler) {
  return (request, response) => {
    handler(request, response).catch((error) => onError(error, request, response));
  };
}
