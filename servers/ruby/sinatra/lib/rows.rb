# frozen_string_literal: true

require_relative "database"

# The rows of the scenarios queries, updates and fortunes.
class Rows
  IDS = (1..10_000).freeze
  MOST = 500

  # How many rows `text` asks for, or nil: 1 to 500.
  def self.clamped(text)
    text&.match?(/\A\d+\z/) ? text.to_i.clamp(1, MOST) : 1
  end

  def initialize(database)
    @database = database
    @world = database[:world].select(:id, :randomnumber).where(id: :$id).prepare(:first, :world)
    @stock = database[:stock].select(:quantity).where(id: :$id).for_update.prepare(:first, :stock)
    @counted = database[:stock].where(id: :$id).prepare(:update, :counted, quantity: :$quantity)
    @fortunes = database[:fortune].select(:id, :message).prepare(:select, :fortunes)
  end

  # `count` rows of the table world, one after the other on one connection.
  def worlds(count)
    @database.synchronize { Array.new(count) { world(rand(IDS)) } }
  end

  def world(id)
    row = @world.call(id: id)
    { id: row[:id], randomNumber: row[:randomnumber] }
  end

  # Counts `count` different rows of the table stock up by one, in a transaction. Rows that are always
  # locked in the same order cannot make two transactions wait for each other.
  def count_items(count)
    ids = IDS.to_a.sample(count).sort
    @database.transaction do
      items = ids.map { |id| { id: id, quantity: @stock.call(id: id)[:quantity] + 1 } }
      items.each { |item| @counted.call(**item) }
    end
  end

  # The rows of the table fortune and the one added, sorted by their messages.
  def fortunes(added)
    [*@fortunes.call, { id: 0, message: added }].sort_by { |row| row[:message] }
  end
end
