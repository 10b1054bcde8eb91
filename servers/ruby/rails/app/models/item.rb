# frozen_string_literal: true

class Item < ApplicationRecord
  self.table_name = "stock"

  IDS = (1..10_000).to_a.freeze

  # Counts `count` different items up by one, in a transaction. Rows that are always locked in the same order cannot
  # make two transactions wait for each other.
  def self.count_up(count)
    transaction do
      items = IDS.sample(count).sort.map { |id| lock.find(id) }
      items.each { |item| item.update!(quantity: item.quantity + 1) }
    end
  end
end
