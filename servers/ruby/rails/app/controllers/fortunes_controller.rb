# frozen_string_literal: true

class FortunesController < ApplicationController
  def index
    added = params[:added]
    return render(plain: "added must be a text", status: :bad_request) unless added.is_a?(String) && !added.empty?

    @fortunes = [*Fortune.all, Fortune.new(id: 0, message: added)].sort_by(&:message)
  end
end
