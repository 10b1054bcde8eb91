const GRACE_MS = 1000;

/** On SIGTERM takes no new connections, lets requests in flight end, then cuts what is left. */
export function stopOnSigterm(server) {
  process.once('SIGTERM', () => {
    server.close(() => process.exit()); // closes idle keep-alive connections, too
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  });
}
