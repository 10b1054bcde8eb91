# frozen_string_literal: true

require_relative "../lib/application"

class Json < Application
  get "/json" do
    json (1..10).to_h { |number| ["Test Number #{number}", rand(0..1000)] }
  end
end
