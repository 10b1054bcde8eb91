# frozen_string_literal: true

require_relative "environment"

# Keeps what its block reads for a key, for WEBDYNO_TTL_MS milliseconds from the reading on. Requests
# that miss a key at the same time each read it.
class Cache
  Entry = Struct.new(:value, :until)

  def initialize(&read)
    @read = read
    @ttl = Environment.number("WEBDYNO_TTL_MS") / 1000.0
    @kept = {}
    @lock = Mutex.new
  end

  def fetch(key)
    entry = @lock.synchronize { @kept[key] }
    asked = now
    return entry.value if entry && asked < entry.until

    value = @read.call(key)
    @lock.synchronize { @kept[key] = Entry.new(value, asked + @ttl) }
    value
  end

  private

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
