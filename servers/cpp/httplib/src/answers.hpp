#pragma once

#include <httplib.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <optional>
#include <string>

#include "rows.hpp"

/// Writes JSON into a text.
using Json = rapidjson::Writer<rapidjson::StringBuffer>;

void send_text(httplib::Response& response, const std::string& text, int status = 200);

void send_html(httplib::Response& response, const std::string& page);

/// Answers with the JSON that `write` writes.
template <typename Write>
void send_json(httplib::Response& response, Write write) {
    rapidjson::StringBuffer text;
    Json json{text};
    write(json);
    response.set_content(text.GetString(), text.GetSize(), "application/json");
}

void write(Json& json, const World& world);

void write(Json& json, const Item& item);

/// The whole number that `text` is in decimal digits, at most `most`.
std::optional<int> whole(const std::string& text, int most);

/// How many rows a request asks for by `n`: from 1 to 500.
int row_count(const httplib::Request& request);

/// Whether `text` is a tag of eighteen digits.
bool is_tag(const std::string& text);

/// The time in microseconds since 1970.
std::int64_t now_us();
