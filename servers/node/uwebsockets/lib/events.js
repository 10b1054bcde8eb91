const MOST = 10_000;
const LONGEST_MS = 1000;

/** The whole number that `value` is in up to five digits; NaN where it is none. */
function whole(value) {
  return /^\d{1,5}$/.test(value) ? Number(value) : NaN;
}

/** What a client asks for: the events after `last` up to `count`; undefined where something is wrong. */
export function wantedEvents({ n, tag, gap = '0' }, lastEventId = '0') {
  const wanted = { count: whole(n), tag, gap: whole(gap), last: whole(lastEventId) };
  const { count, last } = wanted;
  const right = count >= 1 && count <= MOST && wanted.gap <= LONGEST_MS && last <= count;
  return right && /^\d{18}$/.test(tag) ? wanted : undefined;
}

/** The event of a number, as it is now. */
export function event(number, tag) {
  const made = Math.round((performance.timeOrigin + performance.now()) * 1000);
  return { id: String(number), data: JSON.stringify({ number, tag, made }) };
}
