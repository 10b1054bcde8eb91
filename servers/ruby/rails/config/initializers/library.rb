# frozen_string_literal: true

if Scenario.name == "blog"
  require Rails.root.join("lib/library")
  Rails.configuration.x.library = Library.new(Environment.required("WEBDYNO_BLOG_DATA"))
end
