/** Ends `response` with `body` and the headers that go with it. */
export function answer(response, status, type, body) {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** Answers with plain text. */
export function text(response, body, status = 200) {
  answer(response, status, 'text/plain; charset=utf-8', body);
}

/** Answers 200 with a page. */
export function html(response, body) {
  answer(response, 200, 'text/html; charset=utf-8', body);
}

/** Answers 200 with `value` as JSON. */
export function json(response, value) {
  answer(response, 200, 'application/json', JSON.stringify(value));
}
