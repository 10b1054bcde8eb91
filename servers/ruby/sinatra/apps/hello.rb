# frozen_string_literal: true

require_relative "../lib/application"

class Hello < Application
  get "/hello" do
    text "Hello World"
  end
end
