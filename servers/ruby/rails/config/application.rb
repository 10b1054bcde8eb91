# frozen_string_literal: true

require_relative "gems"
require_relative "scenario"

require "logger"
require "rails"
require "active_model/railtie"
require "active_record/railtie" if Scenario.database
require "action_controller/railtie"
require "action_view/railtie"

module Webdyno
  class Application < Rails::Application
    config.load_defaults 6.1

    config.secret_key_base = ENV["WEBDYNO_SECRET"].presence || SecureRandom.hex(64)
    # One store for sessions, which session-counter alone has.
    config.session_store :disabled
    # No form names another method; to look for one, it parses a form before anybody asks for it.
    config.middleware.delete Rack::MethodOverride
    # Models need Active Record.
    Rails.autoloaders.main.ignore(root.join("app/models")) unless Scenario.database
    # As RAILS_SERVE_STATIC_FILES does, for where no server in front has the files.
    config.public_file_server.enabled = Scenario.files.present?
    config.paths["public"] = Scenario.files if Scenario.files
    config.paths["tmp"] = ENV.fetch("TMPDIR", "tmp")
  end
end
