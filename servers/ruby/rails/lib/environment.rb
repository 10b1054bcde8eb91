# frozen_string_literal: true

# What the environment tells; a launch that lacks something ends with a line on stderr and exit code 2.
module Environment
  module_function

  def refuse(message)
    warn(message)
    exit!(2)
  end

  def required(name)
    value = ENV.fetch(name, "")
    value.empty? ? refuse("#{name} is not set") : value
  end

  def number(name, default = nil)
    value = default.nil? ? required(name) : ENV.fetch(name, default.to_s)
    value.match?(/\A\d+\z/) ? Integer(value, 10) : refuse("#{name} is '#{value}', not a whole number")
  end

  # Puma's documentation: one and a half workers a core, two at least; 0 is a single process. Each holds a database
  # connection at least, where there is one.
  def workers
    wanted = number("WEB_CONCURRENCY", [(number("WEBDYNO_CPUS", 1) * 1.5).ceil, 2].max)
    database? ? [wanted, number("WEBDYNO_POOL", 16)].min : wanted
  end

  # No more than a process has database connections, where there is one: a thread would wait for a connection.
  def threads
    wanted = number("PUMA_THREADS", 5)
    database? ? [wanted, connections].min : wanted
  end

  # The database connections that a process may hold: the workers divide them evenly.
  def connections
    [number("WEBDYNO_POOL", 16) / [workers, 1].max, 1].max
  end

  def database?
    %w[PGHOST MYSQL_HOST].any? { |name| ENV.key?(name) }
  end
end
