import { Elysia } from 'elysia';

/**
 * A new application, which logs an error that no handler expected and answers it with 500. By itself
 * Elysia logs none, and sends its text to the client.
 */
export const application = () =>
  new Elysia().onError(({ error, status }) => {
    // The client's errors, such as an unknown path, which Elysia answers itself.
    if (error.status >= 400 && error.status < 500) {
      return undefined;
    }
    console.error(error);
    return status(500, 'Internal Server Error');
  });
