# frozen_string_literal: true

require_relative "../lib/application"

class Stream < Application
  COUNTS = (1..65_536).freeze
  DIGITS = /\A\d{1,6}\z/
  TAG = /\A\d{18}\z/
  LENGTH = 4096

  helpers do
    def piece(number, tag)
      made = Process.clock_gettime(Process::CLOCK_REALTIME, :microsecond)
      format("%010d %s %016d ", number, tag, made).ljust(LENGTH - 1, ".") << "\n"
    end
  end

  get "/stream" do
    n, tag = parameter("n"), parameter("tag")
    count = n&.match?(DIGITS) ? n.to_i : 0
    unless COUNTS.cover?(count) && tag&.match?(TAG)
      halt 400, text("n must be 1 to #{COUNTS.last}, tag have 18 digits")
    end

    content_type :text
    stream do |out|
      count.times { |number| out << piece(number, tag) }
    end
  end
end
