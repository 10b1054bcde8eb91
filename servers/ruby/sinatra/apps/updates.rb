# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/rows"

class Updates < Application
  rows = Rows.new(Database.postgresql)

  post "/updates" do
    json rows.count_items(Rows.clamped(parameter("n")))
  end
end
