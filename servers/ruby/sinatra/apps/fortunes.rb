# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/rows"

class Fortunes < Application
  rows = Rows.new(Database.postgresql)

  get "/fortunes" do
    added = parameter("added").to_s
    halt 400, text("added must be a text") if added.empty?

    erb :fortunes, locals: { fortunes: rows.fortunes(added) }
  end
end
