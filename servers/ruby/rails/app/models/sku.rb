# frozen_string_literal: true

class Sku < ApplicationRecord
  self.table_name = "purch_sku_master"
end
