# frozen_string_literal: true

require "json"

# The posts and images that the blog draws its pages from, read once.
class Library
  POSTS_PER_PAGE = 5

  def initialize(folder)
    @posts = read(folder, "posts.json")
    @images = read(folder, "images.json")
  end

  # Different posts in random order, each with an image drawn on its own.
  def draw_page
    @posts.sample(POSTS_PER_PAGE).map { |post| [post, @images.sample] }
  end

  private

  def read(folder, name)
    JSON.parse(File.read(File.join(folder, name)), symbolize_names: true)
  end
end
