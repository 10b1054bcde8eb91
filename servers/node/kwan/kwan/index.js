export { Application } from './application.js';
export { HttpError } from './http-error.js';
