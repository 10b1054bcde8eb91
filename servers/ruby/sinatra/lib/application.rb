# frozen_string_literal: true

require "json"

# What the applications have in common: how they render and how they answer JSON.
class Application < Sinatra::Base
  set :root, File.expand_path("..", __dir__)
  set :erb, escape_html: true
  set :static, false

  helpers do
    def json(value)
      content_type :json
      JSON.generate(value)
    end

    def text(value)
      content_type :text
      value
    end
  end
end
