const SWEEP_MS = 60_000;

/** A store for koa-session: sessions in memory, as JSON, for a single process. */
export function memoryStore() {
  const sessions = new Map();

  setInterval(() => {
    const now = Date.now();
    for (const [id, { expires }] of sessions) {
      if (expires < now) {
        sessions.delete(id);
      }
    }
  }, SWEEP_MS).unref();

  return {
    async get(id) {
      const found = sessions.get(id);
      return found && found.expires >= Date.now() ? JSON.parse(found.data) : undefined;
    },
    async set(id, session, maxAgeMs) {
      sessions.set(id, { data: JSON.stringify(session), expires: Date.now() + maxAgeMs });
    },
    async destroy(id) {
      sessions.delete(id);
    },
  };
}
