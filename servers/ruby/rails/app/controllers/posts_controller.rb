# frozen_string_literal: true

class PostsController < ApplicationController
  def index
    @posts = Rails.configuration.x.library.draw_page
  end
end
