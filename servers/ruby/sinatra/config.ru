# frozen_string_literal: true

require_relative "config/gems"
require "sinatra/base"

require_relative "scenario"

run Scenario.application
