-- Prints wrk's own figures as one JSON line when it is done, because its text rounds them.
-- Only `done` is defined: a hook that runs once and costs no request anything.
done = function(summary, latency, requests)
   local e = summary.errors
   io.write("\nwebdyno-json: ", string.format(
      '{"duration_us":%d,"requests":%d,"bytes":%d,' ..
      '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
      '"latency_us":{"min":%.1f,"mean":%.1f,"max":%.1f,"p50":%d,"p90":%d,"p99":%d,"p999":%d}}\n',
      summary.duration, summary.requests, summary.bytes,
      e.connect, e.read, e.write, e.status, e.timeout,
      latency.min, latency.mean, latency.max,
      latency:percentile(50), latency:percentile(90), latency:percentile(99),
      latency:percentile(99.9)))
end
