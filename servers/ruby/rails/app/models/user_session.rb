# frozen_string_literal: true

class UserSession < ApplicationRecord
  self.table_name = "usersessions"
  self.primary_key = :uid

  serialize :data, JSON
end
