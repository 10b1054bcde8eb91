# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/environment"

class Static < Application
  set :public_folder, Environment.required("WEBDYNO_STATIC")
  set :static, true
end
