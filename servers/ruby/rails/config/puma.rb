# frozen_string_literal: true

require_relative "gems"
require_relative "scenario"

Scenario.name # refuses an unknown one here, once, and not in each worker

environment "production"
bind "tcp://#{ENV.fetch('HOST', '127.0.0.1')}:#{Environment.required('PORT')}"
threads Environment.threads, Environment.threads
# Longer than clients and proxies keep idle connections, so that they close first.
persistent_timeout 75
# Requests in flight get a second to end; then workers are stopped.
force_shutdown_after 1

workers Environment.workers
if Environment.workers.positive?
  worker_shutdown_timeout 3
  preload_app!
  # The pool's connections are each process's own.
  before_fork { ActiveRecord::Base.connection_pool.disconnect! if defined?(ActiveRecord) }
end
