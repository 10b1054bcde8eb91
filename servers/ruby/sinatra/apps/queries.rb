# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/rows"

class Queries < Application
  rows = Rows.new(Database.postgresql)

  get "/queries" do
    json rows.worlds(Rows.clamped(parameter("n")))
  end
end
