# frozen_string_literal: true

require "sinatra/base"

# The scenario `hello`. Replace it with your framework's.
class Hello < Sinatra::Base
  get "/hello" do
    content_type :text
    "Hello World"
  end
end

APPS = { "hello" => Hello }.freeze

scenario = ENV.fetch("WEBDYNO_SCENARIO", "")
app = APPS.fetch(scenario) do
  warn "WEBDYNO_SCENARIO is '#{scenario}'; one of: #{APPS.keys.join(', ')}"
  exit! 2
end
run app
