const all = Number(process.env.WEBDYNO_POOL) || 16;
const processes = Number(process.env.WORKERS) || 1;
// Where workers are numbered and cannot share evenly, the first hold one more each.
const more = Number(process.env.WORKER) < all % processes ? 1 : 0;

/** This process's share of the database connections. */
export const connections = Math.max(1, Math.floor(all / processes) + more);
