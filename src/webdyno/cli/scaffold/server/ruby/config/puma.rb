# frozen_string_literal: true

require_relative "gems"

bind "tcp://#{ENV.fetch('HOST', '127.0.0.1')}:#{ENV.fetch('PORT')}"
# Longer than clients and proxies keep idle connections, so that they close first.
persistent_timeout 75
# Requests in flight get a second to end.
force_shutdown_after 1
