# frozen_string_literal: true

require "digest"

require_relative "../lib/application"
require_relative "../lib/environment"

class Sha256 < Application
  FILE = Environment.required("WEBDYNO_FILE")
  ROUNDS = 1..100_000

  helpers do
    # The last of `rounds` digests: SHA-256 of `content` and, from the second on, the one before.
    def digest_chain(content, rounds)
      (2..rounds).inject(Digest::SHA256.digest(content)) do |digest, _|
        Digest::SHA256.new.update(content).update(digest).digest
      end
    end
  end

  get "/benchmark" do
    n = parameter("n")
    rounds = n&.match?(/\A[1-9]\d{0,5}\z/) ? n.to_i : 0
    halt 400, text("n must be an integer from 1 to 100000") unless ROUNDS.cover?(rounds)

    text digest_chain(File.binread(FILE), rounds).unpack1("H*")
  end
end
