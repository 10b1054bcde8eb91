# frozen_string_literal: true

class World < ApplicationRecord
  self.table_name = "world"

  IDS = (1..10_000).freeze
  FEW = (1..100).freeze

  def as_json(*)
    { id: id, randomNumber: randomnumber }
  end
end
