# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/cache"
require_relative "../lib/rows"

class Cached < Application
  IDS = (1..100).freeze

  rows = Rows.new(Database.postgresql)
  cache = Cache.new { |id| rows.world(id) }

  get "/cached" do
    ids = Array.new(Rows.clamped(parameter("n"))) { rand(IDS) }
    json(ids.map { |id| cache.fetch(id) })
  end
end
