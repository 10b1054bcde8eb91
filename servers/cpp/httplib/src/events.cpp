#include <chrono>
#include <thread>

#include "answers.hpp"
#include "apps.hpp"

namespace {

constexpr int MOST = 10'000;
constexpr int LONGEST_MS = 1000;

std::string event(int number, const std::string& tag) {
    rapidjson::StringBuffer data;
    Json json{data};
    json.StartObject();
    json.Key("number");
    json.Int(number);
    json.Key("tag");
    json.String(tag.c_str());
    json.Key("made");
    json.Int64(now_us());
    json.EndObject();
    return "id: " + std::to_string(number) + "\ndata: " + data.GetString() + "\n\n";
}

/// The number that a parameter of the query holds, `otherwise` where it is missing; nothing where it is none.
std::optional<int> whole_or(const httplib::Request& request, const char* parameter, int most, int otherwise) {
    return request.has_param(parameter) ? whole(request.get_param_value(parameter), most) : otherwise;
}

}  // namespace

void sse(httplib::Server& server) {
    server.Get("/events", [](const httplib::Request& request, httplib::Response& response) {
        const int count = whole(request.get_param_value("n"), MOST + 1).value_or(0);
        const auto gap = whole_or(request, "gap", LONGEST_MS + 1, 0);
        const auto last =
            request.has_header("Last-Event-ID") ? whole(request.get_header_value("Last-Event-ID"), MOST + 1) : 0;
        const std::string tag = request.get_param_value("tag");
        if (count < 1 || count > MOST || !gap || *gap > LONGEST_MS || !last || *last > count || !is_tag(tag)) {
            send_text(response, "n must be 1 to 10000, tag have 18 digits", 400);
            return;
        }
        if (*last == count) {
            response.status = 204;
            return;
        }
        response.set_header("Cache-Control", "no-cache");
        // Called again after each event, which is a chunk of its own, until the client leaves.
        response.set_chunked_content_provider(
            "text/event-stream",
            [count, tag, first = *last + 1, number = *last + 1, pause = std::chrono::milliseconds{*gap}](
                std::size_t, httplib::DataSink& sink) mutable {
                if (number > first) {
                    std::this_thread::sleep_for(pause);
                }
                const std::string text = event(number, tag);
                sink.write(text.data(), text.size());
                if (number++ == count) {
                    sink.done();
                }
                return true;
            });
    });
}
