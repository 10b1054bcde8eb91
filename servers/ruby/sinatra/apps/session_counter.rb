# frozen_string_literal: true

require "json"
require "securerandom"

require_relative "../lib/application"
require_relative "../lib/database"

class SessionCounter < Application
  database = Database.postgresql
  visit = database[:usersessions].select(:data).where(uid: :$uid).prepare(:first, :visit)
  begun = database[:usersessions].prepare(:insert, :begun, uid: :$uid, data: :$data)
  counted = database[:usersessions].where(uid: :$uid).prepare(:update, :counted, data: :$data)

  enable :sessions
  set :session_secret, Environment.required("WEBDYNO_SECRET")

  get "/" do
    uid = session["uid"]
    row = visit.call(uid: uid) if uid
    if row
      data = JSON.parse(row[:data])
      data["count"] += 1
      counted.call(uid: uid, data: JSON.generate(data))
    else
      data = { "count" => 1 }
      session["uid"] = uid = SecureRandom.urlsafe_base64(24)
      begun.call(uid: uid, data: JSON.generate(data))
    end
    "Count is #{data['count']}"
  end
end
