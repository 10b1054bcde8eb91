/**
 * Makes one function of several middlewares: `(context) => promise`.
 *
 * A single iterator walks through them. `next` takes its next step, so all middlewares of a request
 * share one `next`, and none needs to know its own place; composing them by recursion would make a
 * closure for each. The promise is rejected with what a middleware throws, and where `next` is
 * called again after the walk has ended.
 */
export function walk(middlewares) {
  return (context) => {
    const steps = middlewares.values();
    let ended = false;

    const next = async () => {
      const step = steps.next();
      if (!step.done) {
        return step.value(context, next);
      }
      if (ended) {
        throw new Error('next() was called more than once by a middleware');
      }
      ended = true;
      return undefined;
    };

    return next();
  };
}
