# frozen_string_literal: true

if Scenario.name == "middleware"
  require Rails.root.join("lib/counts")
  Environment.number("WEBDYNO_MIDDLEWARE").times { Rails.application.config.middleware.use Counts::Counting }
end
