# frozen_string_literal: true

require "action_dispatch/middleware/session/abstract_store"

# Sessions in the table usersessions, and their id in an encrypted cookie.
class TableSessions < ActionDispatch::Session::AbstractSecureStore
  RECORD = "webdyno.session.record"

  private

  def find_session(request, id)
    record = id && UserSession.find_by(uid: id.public_id)
    return [generate_sid, {}] unless record

    request.set_header(RECORD, record)
    [id, record.data]
  end

  def write_session(request, id, data, _options)
    record = request.get_header(RECORD)
    record = UserSession.new(uid: id.public_id) unless record&.uid == id.public_id
    record.data = data
    record.save!
    id
  end

  def delete_session(_request, id, _options)
    UserSession.where(uid: id.public_id).delete_all
    generate_sid
  end

  def extract_session_id(request)
    id = request.cookie_jar.encrypted[key]
    id && Rack::Session::SessionId.new(id)
  end

  def set_cookie(request, _id, cookie)
    request.cookie_jar.encrypted[key] = cookie.merge(value: cookie[:value].to_s)
  end
end
