# frozen_string_literal: true

if Scenario.name == "session-counter"
  require Rails.root.join("lib/table_sessions")
  Rails.application.config.session_store TableSessions, key: "_webdyno_session"
end
