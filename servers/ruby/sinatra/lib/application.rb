# frozen_string_literal: true

require "json"

# What the applications have in common: what they are asked, how they render and how they answer JSON.
class Application < Sinatra::Base
  set :root, File.expand_path("..", __dir__)
  set :erb, escape_html: true
  set :static, false

  helpers do
    # The text of a parameter: nil without one, and for a list or bytes that are not UTF-8, which no pattern can match.
    def parameter(name)
      value = params[name]
      value if value.is_a?(String) && value.valid_encoding?
    end

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
