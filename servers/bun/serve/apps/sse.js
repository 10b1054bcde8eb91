const MOST = 10_000;
const LONGEST_MS = 1000;

/** The whole number that `value` is in up to five digits; NaN where it is none. */
function whole(value) {
  return /^\d{1,5}$/.test(value) ? Number(value) : NaN;
}

/** A stream that is written to directly, and flushed at each event. */
function events(last, count, tag, gap, { signal }) {
  return new ReadableStream({
    type: 'direct',
    async pull(controller) {
      for (let number = last + 1; number <= count && !signal.aborted; number += 1) {
        if (gap > 0 && number > last + 1) {
          await Bun.sleep(gap);
        }
        const made = Math.round((performance.timeOrigin + performance.now()) * 1000);
        controller.write(`id: ${number}\ndata: ${JSON.stringify({ number, tag, made })}\n\n`);
        await controller.flush();
      }
      controller.close();
    },
  });
}

function push(request) {
  const parameters = new URL(request.url).searchParams;
  const count = whole(parameters.get('n') ?? '');
  const gap = whole(parameters.get('gap') ?? '0');
  const tag = parameters.get('tag') ?? '';
  const last = whole(request.headers.get('last-event-id') ?? '0');
  const right = count >= 1 && count <= MOST && gap <= LONGEST_MS && last <= count;
  if (!right || !/^\d{18}$/.test(tag)) {
    return new Response(`n must be 1 to ${MOST}, tag have 18 digits`, { status: 400 });
  }
  if (last === count) {
    return new Response(null, { status: 204 });
  }
  return new Response(events(last, count, tag, gap, request), {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
  });
}

export default {
  '/events': { GET: push },
};
