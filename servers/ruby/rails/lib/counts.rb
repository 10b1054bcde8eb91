# frozen_string_literal: true

# What a process has seen: requests, and middlewares that they passed. Its threads share the counts.
module Counts
  LOCK = Mutex.new
  @requests = 0
  @passed = 0

  class << self
    # Counts a middleware that a request has passed.
    def pass
      LOCK.synchronize { @passed += 1 }
    end

    # Counts a request, and tells what this process has seen, that one included.
    def receive
      LOCK.synchronize do
        @requests += 1
        { requests: @requests, passed: @passed }
      end
    end
  end

  # A Rack middleware: counts a request and passes it on.
  class Counting
    def initialize(app)
      @app = app
    end

    def call(env)
      Counts.pass
      @app.call(env)
    end
  end
end
