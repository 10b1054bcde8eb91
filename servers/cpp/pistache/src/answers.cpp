#include "answers.hpp"

#include <algorithm>
#include <charconv>
#include <iostream>

namespace {

using namespace Pistache;

constexpr int MOST = 500;

}  // namespace

Rest::Route::Handler handler(std::function<void(const Request&, Response&)> work) {
    return [work = std::move(work)](const Request& request, Response response) {
        keep_alive(request, response);
        try {
            work(request, response);
        } catch (const std::exception& error) {
            // Pistache would tell the error to the client.
            std::cerr << error.what() << std::endl;
            send_text(response, "Internal Server Error", Http::Code::Internal_Server_Error);
        }
        return Rest::Route::Result::Ok;
    };
}

void keep_alive(const Request& request, Response& response) {
    if (request.version() == Http::Version::Http11 && !request.headers().has<Http::Header::Connection>()) {
        response.headers().remove<Http::Header::Connection>();
        response.headers().add<Http::Header::Connection>(Http::ConnectionControl::KeepAlive);
    }
}

void send_text(Response& response, const std::string& text, Http::Code code) {
    response.send(code, text, MIME(Text, Plain));
}

void send_html(Response& response, const std::string& page) {
    Http::Mime::MediaType type = MIME(Text, Html);
    type.setParam("charset", "utf-8");
    response.send(Http::Code::Ok, page, type);
}

void send_json(Response& response, const nlohmann::json& value) {
    response.send(Http::Code::Ok, value.dump(), MIME(Application, Json));
}

std::string decoded(const std::string& text, bool plus_is_space) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t index = 0; index < text.size(); ++index) {
        const char* const digits = text.data() + index + 1;
        unsigned char byte = 0;
        const bool encoded = text[index] == '%' && index + 2 < text.size() &&
                             std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        if (encoded) {
            plain += static_cast<char>(byte);
            index += 2;
        } else {
            plain += text[index] == '+' && plus_is_space ? ' ' : text[index];
        }
    }
    return plain;
}

std::string parameter(const Request& request, const std::string& name) {
    return decoded(request.query().get(name).value_or(""), true);
}

std::optional<int> whole(const Request& request, int most) {
    const std::string text = parameter(request, "n");
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) {
        return std::nullopt;
    }
    int value = 0;
    for (const char digit : text) {
        value = std::min(value * 10 + (digit - '0'), most);
    }
    return value;
}

int row_count(const Request& request) {
    return std::max(whole(request, MOST).value_or(1), 1);
}
