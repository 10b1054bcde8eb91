import { STATUS_CODES } from 'node:http';

/** An error that is answered with `status`; `message` is shown to the client below 500. */
export class HttpError extends Error {
  constructor(status, message = STATUS_CODES[status]) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
  }
}
