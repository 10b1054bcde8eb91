# frozen_string_literal: true

root to: "visits#show"
