const GRACE_MS = 1000;

let inFlight = 0;
let stopping = false;

/** Whether SIGTERM has come: an answer then ends its connection. */
export function isStopping() {
  return stopping;
}

/** Counts a request that is not answered at once; the function that is returned ends it. */
export function begin() {
  inFlight += 1;
  return () => {
    inFlight -= 1;
    if (stopping && inFlight === 0) {
      exit();
    }
  };
}

/** On SIGTERM calls `close`, lets requests in flight end, then cuts what is left. */
export function stopOnSigterm(close) {
  process.once('SIGTERM', () => {
    stopping = true;
    close();
    if (inFlight === 0) {
      exit();
    } else {
      setTimeout(() => process.exit(), GRACE_MS);
    }
  });
}

// Not at once: what was just written is corked until the callback that wrote it returns.
function exit() {
  setImmediate(() => process.exit());
}
