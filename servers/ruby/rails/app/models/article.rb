# frozen_string_literal: true

class Article < ApplicationRecord
  self.primary_key = :number
end
