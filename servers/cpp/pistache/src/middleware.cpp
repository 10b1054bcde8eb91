#include <atomic>

#include "answers.hpp"
#include "apps.hpp"
#include "environment.hpp"

namespace {

using namespace Pistache;

// What the process has seen: requests, and middlewares that they passed.
std::atomic<long> requests = 0;
std::atomic<long> passed = 0;

/// Counts a request and passes it on.
bool count(Http::Request&, Http::ResponseWriter&) {
    ++passed;
    return true;
}

}  // namespace

void middleware(Rest::Router& router) {
    required("WEBDYNO_MIDDLEWARE");
    for (int left = number("WEBDYNO_MIDDLEWARE", 0); left > 0; --left) {
        router.addMiddleware(Rest::Routes::middleware(&count));
    }
    Rest::Routes::Get(router, "/hello", handler([](const Request&, Response& response) {
        ++requests;
        send_text(response, "Hello World");
    }));
    Rest::Routes::Get(router, "/passed", handler([](const Request&, Response& response) {
        const long received = ++requests;
        send_json(response, {{"requests", received}, {"passed", passed.load()}});
    }));
}
