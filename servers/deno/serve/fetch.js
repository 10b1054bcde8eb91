import { loadRoutes } from './scenario.js';

const routes = await loadRoutes();

/** Answers a request by the route of its method and path. */
export async function fetch(request) {
  const { pathname, searchParams } = new URL(request.url);
  const route = routes[`${request.method} ${pathname}`];
  if (route === undefined) {
    return new Response('Not Found', { status: 404 });
  }
  try {
    return await route(request, searchParams);
  } catch (error) {
    console.error(error);
    return new Response('Internal Server Error', { status: 500 });
  }
}
