# frozen_string_literal: true

class ApplicationController < ActionController::Base
  # No form of ours changes anything, and clients without a session have no token.
  skip_forgery_protection

  MOST = 500

  private

  # How many rows the request asks for: 1 to 500.
  def clamped
    n = params[:n]
    n.is_a?(String) && n.match?(/\A\d+\z/) ? n.to_i.clamp(1, MOST) : 1
  end
end
