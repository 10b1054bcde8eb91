# frozen_string_literal: true

# Says that a body is bytes, whatever the client says: Rack parses one that is of a form, or of no type.
class Bytes
  def initialize(app)
    @app = app
  end

  def call(env)
    @app.call(env.merge("CONTENT_TYPE" => "application/octet-stream"))
  end
end
