# frozen_string_literal: true

require "sequel"

require_relative "environment"

# What a connection sends as the name of a statement is UTF-8 already: pg 1.4 makes others so in a copy that nobody
# holds, and sends whatever is there after garbage was collected (ged/ruby-pg#705).
module Names
  def prepare(name, sql)
    super(name.encode(Encoding::UTF_8), sql)
  end

  def exec_prepared(name, values)
    super(name.encode(Encoding::UTF_8), values)
  end
end

# A database by Sequel, with this process's share of the connections.
module Database
  module_function

  # PostgreSQL, as PGHOST and its like tell the driver.
  def postgresql
    Sequel.connect(
      adapter: "postgres",
      host: Environment.required("PGHOST"),
      port: Environment.number("PGPORT"),
      user: Environment.required("PGUSER"),
      database: Environment.required("PGDATABASE"),
      max_connections: Environment.connections,
      after_connect: ->(connection) { connection.extend(Names) }
    )
  end

  def mariadb
    Sequel.connect(
      adapter: "mysql2",
      host: Environment.required("MYSQL_HOST"),
      port: Environment.number("MYSQL_PORT"),
      user: Environment.required("MYSQL_USER"),
      password: ENV.fetch("MYSQL_PASSWORD", ""),
      database: Environment.required("MYSQL_DATABASE"),
      encoding: "utf8mb4",
      max_connections: Environment.connections
    )
  end
end
