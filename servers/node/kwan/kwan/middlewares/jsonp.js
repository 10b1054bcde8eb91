import { Stream } from 'node:stream';

const notInAName = /[^\w$.[\]]/g;
const lineSeparators = /[\u2028\u2029]/g;

/**
 * Answers as a script that calls a function, where the query names one in `parameter`.
 *
 * Only the characters of a JavaScript name are kept of it. The comment in front, and the header that
 * forbids to guess the type, keep the answer from being run as anything but a script.
 */
export function jsonp({ parameter = 'callback' } = {}) {
  return async ({ req, res }, next) => {
    await next();
    const name = req.query.get(parameter)?.replace(notInAName, '');
    if (!name || res.body === undefined || res.body instanceof Stream) {
      return;
    }
    // Both separators are allowed in JSON, and were line ends in older JavaScript.
    const value = JSON.stringify(res.body).replace(lineSeparators, (character) =>
      character === '\u2028' ? '\\u2028' : '\\u2029',
    );
    res.set('X-Content-Type-Options', 'nosniff');
    res.type = 'js';
    res.body = `/**/ typeof ${name} === 'function' && ${name}(${value});`;
  };
}
