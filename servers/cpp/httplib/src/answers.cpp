#include "answers.hpp"

#include <algorithm>
#include <chrono>

namespace {

constexpr int MOST = 500;
constexpr std::size_t TAG_DIGITS = 18;

bool all_digits(const std::string& text) {
    return text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

void send_text(httplib::Response& response, const std::string& text, int status) {
    response.status = status;
    response.set_content(text, "text/plain; charset=utf-8");
}

void send_html(httplib::Response& response, const std::string& page) {
    response.set_content(page, "text/html; charset=utf-8");
}

void write(Json& json, const World& world) {
    json.StartObject();
    json.Key("id");
    json.Int(world.id);
    json.Key("randomNumber");
    json.Int(world.random_number);
    json.EndObject();
}

void write(Json& json, const Item& item) {
    json.StartObject();
    json.Key("id");
    json.Int(item.id);
    json.Key("quantity");
    json.Int(item.quantity);
    json.EndObject();
}

std::optional<int> whole(const std::string& text, int most) {
    if (text.empty() || !all_digits(text)) {
        return std::nullopt;
    }
    int value = 0;
    for (const char digit : text) {
        value = std::min(value * 10 + (digit - '0'), most);
    }
    return value;
}

int row_count(const httplib::Request& request) {
    return std::max(whole(request.get_param_value("n"), MOST).value_or(1), 1);
}

bool is_tag(const std::string& text) {
    return text.size() == TAG_DIGITS && all_digits(text);
}

std::int64_t now_us() {
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}
