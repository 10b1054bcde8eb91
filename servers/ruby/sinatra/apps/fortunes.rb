# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/rows"

class Fortunes < Application
  rows = Rows.new(Database.postgresql)

  get "/fortunes" do
    added = params["added"]
    halt 400, text("added must be a text") unless added.is_a?(String) && !added.empty?

    erb :fortunes, locals: { fortunes: rows.fortunes(added) }
  end
end
