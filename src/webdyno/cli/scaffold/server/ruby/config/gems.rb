# frozen_string_literal: true

# The release lines this was written for, whatever else is installed beside them.
{
  "puma" => "~> 5.6",
  "rack" => "~> 2.2",
  "sinatra" => "~> 3.0"
}.each { |name, version| gem name, version }
