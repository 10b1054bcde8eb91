# frozen_string_literal: true

class PiecesController < ApplicationController
  include ActionController::Live

  COUNTS = (1..65_536).freeze
  DIGITS = /\A\d{1,6}\z/
  TAG = /\A\d{18}\z/
  LENGTH = 4096

  def index
    n, tag = params.values_at(:n, :tag).map(&:to_s)
    count = n.match?(DIGITS) ? n.to_i : 0
    unless COUNTS.cover?(count) && tag.match?(TAG)
      return render(plain: "n must be 1 to #{COUNTS.last}, tag have 18 digits", status: :bad_request)
    end

    response.content_type = "text/plain"
    # Without it, Rack::ETag collects the answer before it is sent.
    response.headers["Last-Modified"] = Time.now.httpdate
    count.times { |number| response.stream.write(piece(number, tag)) }
  rescue ClientDisconnected
    # Nobody is left to read the rest.
  ensure
    response.stream.close
  end

  private

  def piece(number, tag)
    made = Process.clock_gettime(Process::CLOCK_REALTIME, :microsecond)
    format("%010d %s %016d ", number, tag, made).ljust(LENGTH - 1, ".") << "\n"
  end
end
