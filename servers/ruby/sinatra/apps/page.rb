# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/database"

class Page < Application
  articles = Database.postgresql[:articles].select(:title, :author, :summary).order(:number).prepare(:select, :articles)

  get "/page" do
    erb :page, locals: { articles: articles.call }
  end
end
