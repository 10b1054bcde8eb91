# frozen_string_literal: true

class DigestsController < ApplicationController
  ROUNDS = 1..100_000

  def show
    n = params[:n]
    rounds = n.is_a?(String) && n.match?(/\A[1-9]\d{0,5}\z/) ? n.to_i : 0
    return render(plain: "n must be an integer from 1 to 100000", status: :bad_request) unless ROUNDS.cover?(rounds)

    render plain: chain(File.binread(ENV.fetch("WEBDYNO_FILE")), rounds).unpack1("H*")
  end

  private

  # The last of `rounds` digests: SHA-256 of `content` and, from the second on, the one before.
  def chain(content, rounds)
    (2..rounds).inject(Digest::SHA256.digest(content)) do |digest, _|
      Digest::SHA256.new.update(content).update(digest).digest
    end
  end
end
