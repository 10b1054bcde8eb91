# frozen_string_literal: true

class PagesController < ApplicationController
  def show
    @articles = Article.order(:number).to_a
  end
end
