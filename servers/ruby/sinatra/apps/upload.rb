# frozen_string_literal: true

require "digest"

require_relative "../lib/application"
require_relative "../lib/bytes"

class Upload < Application
  PIECE = 16 * 1024

  use Bytes

  post "/upload" do
    digest = Digest::SHA256.new
    length = 0
    piece = String.new(capacity: PIECE)
    while request.body.read(PIECE, piece)
      digest << piece
      length += piece.bytesize
    end
    text "sha256:#{digest.hexdigest} #{length}"
  end
end
