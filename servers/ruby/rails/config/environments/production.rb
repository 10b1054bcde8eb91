# frozen_string_literal: true

Rails.application.configure do
  config.cache_classes = true
  config.eager_load = true
  config.consider_all_requests_local = false
  config.action_controller.perform_caching = true
  config.i18n.fallbacks = true
  config.active_support.deprecation = :notify
  config.logger = ActiveSupport::TaggedLogging.new(ActiveSupport::Logger.new($stderr))
  config.log_level = :warn
  if Scenario.name == "cached"
    config.cache_store = :memory_store, { expires_in: Environment.number("WEBDYNO_TTL_MS") / 1000.0 }
  end
  config.active_record.dump_schema_after_migration = false if Scenario.database
end
