import send from 'send';

/** A handler that serves the files below the folder `root`, and answers 404 where there is none. */
export function filesBelow(root) {
  return (request, response) => {
    const [pathname] = request.url.split('?', 1);
    send(request, pathname, { root }).pipe(response);
  };
}
