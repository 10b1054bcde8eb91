/** Answers 200 with a page. */
export function page(html) {
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

/** The parameter `name` of a request's query; null where there is none. */
export function parameter(request, name) {
  return new URL(request.url).searchParams.get(name);
}
