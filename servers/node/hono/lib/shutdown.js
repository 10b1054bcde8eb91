const GRACE_MS = 1000;

/** On SIGTERM takes no new connections, lets requests in flight end, then cuts what is left. */
export function stopOnSigterm(server) {
  process.once('SIGTERM', () => {
    server.close(() => process.exit()); // closes idle keep-alive connections, too
    // Connections that were upgraded are not the server's any more: only the end cuts them.
    setTimeout(() => process.exit(), GRACE_MS).unref();
  });
}
