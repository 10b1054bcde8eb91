# frozen_string_literal: true

require_relative "../lib/environment"

# The scenario that WEBDYNO_SCENARIO names: its routes are a file in config/routes/, drawn alone.
module Scenario
  KNOWN = Dir.children(File.join(__dir__, "routes")).map { |file| File.basename(file, ".rb") }.sort.freeze

  def self.name
    wanted = ENV.fetch("WEBDYNO_SCENARIO", "")
    return wanted if KNOWN.include?(wanted)

    Environment.refuse("WEBDYNO_SCENARIO is '#{wanted}': expected one of #{KNOWN.join(', ')}")
  end

  # "postgresql", "mariadb", or nil where it needs none.
  def self.database
    case name
    when "point-lookup" then "mariadb"
    when "session-counter", "page", "queries", "updates", "fortunes", "cached" then "postgresql"
    end
  end

  # The folder whose files are served, or nil where there are none.
  def self.files
    case name
    when "blog" then File.join(Environment.required("WEBDYNO_BLOG_DATA"), "static")
    when "static" then Environment.required("WEBDYNO_STATIC")
    end
  end
end
