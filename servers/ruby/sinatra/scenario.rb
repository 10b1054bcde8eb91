# frozen_string_literal: true

require_relative "lib/environment"

# The application that WEBDYNO_SCENARIO names: a file in apps/, loaded alone.
module Scenario
  KNOWN = Dir.children(File.join(__dir__, "apps")).map { |file| File.basename(file, ".rb").tr("_", "-") }.sort.freeze

  def self.name
    wanted = ENV.fetch("WEBDYNO_SCENARIO", "")
    return wanted if KNOWN.include?(wanted)

    Environment.refuse("WEBDYNO_SCENARIO is '#{wanted}': expected one of #{KNOWN.join(', ')}")
  end

  def self.application
    file = name.tr("-", "_")
    require_relative "apps/#{file}"
    Object.const_get(file.split("_").map(&:capitalize).join)
  end
end
