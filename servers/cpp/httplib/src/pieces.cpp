#include "answers.hpp"
#include "apps.hpp"

namespace {

constexpr std::size_t BYTES = 4096;
constexpr int MOST = 65'536;

/// `number` in so many digits, with zeros in front.
std::string padded(std::int64_t number, std::size_t digits) {
    const std::string text = std::to_string(number);
    return std::string(digits - text.size(), '0') + text;
}

std::string piece(int number, const std::string& tag) {
    std::string line = padded(number, 10) + " " + tag + " " + padded(now_us(), 16) + " ";
    line.resize(BYTES - 1, '.');
    return line + "\n";
}

}  // namespace

void stream(httplib::Server& server) {
    server.Get("/stream", [](const httplib::Request& request, httplib::Response& response) {
        const int count = whole(request.get_param_value("n"), MOST + 1).value_or(0);
        const std::string tag = request.get_param_value("tag");
        if (count < 1 || count > MOST || !is_tag(tag)) {
            send_text(response, "n must be 1 to 65536, tag have 18 digits", 400);
            return;
        }
        // Called again after each piece, whose write waits until the connection can take it.
        response.set_chunked_content_provider(
            "text/plain; charset=utf-8", [count, tag, number = 0](std::size_t, httplib::DataSink& sink) mutable {
                const std::string line = piece(number, tag);
                sink.write(line.data(), line.size());
                if (++number == count) {
                    sink.done();
                }
                return true;
            });
    });
}
