# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/counts"
require_relative "../lib/environment"

class Middleware < Application
  Environment.number("WEBDYNO_MIDDLEWARE").times { use Counts::Counting }

  get "/hello" do
    Counts.receive
    text "Hello World"
  end

  get "/passed" do
    json(Counts.receive)
  end
end
