# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/environment"
require_relative "../lib/library"

class Blog < Application
  folder = Environment.required("WEBDYNO_BLOG_DATA")
  library = Library.new(folder)

  set :public_folder, File.join(folder, "static")
  set :static, true

  get "/blog" do
    erb :blog, locals: { posts: library.draw_page }
  end
end
