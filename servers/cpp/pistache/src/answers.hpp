#pragma once

#include <pistache/http.h>
#include <pistache/router.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

using Request = Pistache::Rest::Request;
using Response = Pistache::Http::ResponseWriter;

/// A handler for the router, which answers an error of ours with 500.
Pistache::Rest::Route::Handler handler(std::function<void(const Request&, Response&)> work);

/// Has a client of HTTP/1.1 that says nothing of its connection keep it; Pistache would close it.
void keep_alive(const Request& request, Response& response);

void send_text(Response& response, const std::string& text, Pistache::Http::Code code = Pistache::Http::Code::Ok);

void send_html(Response& response, const std::string& page);

void send_json(Response& response, const nlohmann::json& value);

/// The text with its percent-encoded bytes as they are; Pistache hands out paths and queries as they came.
std::string decoded(const std::string& text, bool plus_is_space);

/// The parameter `name` of the query; empty where it is missing.
std::string parameter(const Request& request, const std::string& name);

/// The whole number in decimal digits that the query holds as `n`, at most `most`.
std::optional<int> whole(const Request& request, int most);

/// How many rows a request asks for by `n`: from 1 to 500.
int row_count(const Request& request);
