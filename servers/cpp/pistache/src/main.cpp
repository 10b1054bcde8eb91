#include <pistache/endpoint.h>
#include <pistache/router.h>

#include <chrono>
#include <csignal>
#include <map>
#include <string>

#include "answers.hpp"
#include "apps.hpp"
#include "digests.hpp"
#include "environment.hpp"
#include "random.hpp"
#include "rows.hpp"

namespace {

using namespace Pistache;

constexpr int MOST_ROUNDS = 100'000;
/// Of a whole request, its headers included; by default 4 kB, less than browsers and proxies may send.
constexpr std::size_t MOST_REQUEST_BYTES = 16 * 1024;

void hello(Rest::Router& router) {
    Rest::Routes::Get(router, "/hello", handler([](const Request&, Response& response) {
        send_text(response, "Hello World");
    }));
}

void json(Rest::Router& router) {
    Rest::Routes::Get(router, "/json", handler([](const Request&, Response& response) {
        auto numbers = nlohmann::json::object();
        for (int number = 1; number <= 10; ++number) {
            numbers["Test Number " + std::to_string(number)] = random_integer(0, 1000);
        }
        send_json(response, numbers);
    }));
}

void sha256(Rest::Router& router) {
    const std::string file = required("WEBDYNO_FILE");
    Rest::Routes::Get(router, "/benchmark", handler([file](const Request& request, Response& response) {
        const int rounds = whole(request, MOST_ROUNDS + 1).value_or(0);
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            send_text(response, "n must be an integer from 1 to 100000", Http::Code::Bad_Request);
            return;
        }
        send_text(response, digest_chain(file, rounds));
    }));
}

void queries(Rest::Router& router) {
    Rest::Routes::Get(router, "/queries", handler([](const Request& request, Response& response) {
        send_json(response, read_worlds(row_count(request)));
    }));
}

void updates(Rest::Router& router) {
    Rest::Routes::Post(router, "/updates", handler([](const Request& request, Response& response) {
        send_json(response, count_items(row_count(request)));
    }));
}

struct Scenario {
    void (*mount)(Rest::Router&);
    /// Whether handlers wait for a database, each thread with a connection of its own.
    bool waits;
};

const std::map<std::string, Scenario> SCENARIOS = {
    {"blog", {blog, false}},
    {"cached", {cached, true}},
    {"fortunes", {fortunes, true}},
    {"hello", {hello, false}},
    {"json", {json, false}},
    {"middleware", {middleware, false}},
    {"page", {page, true}},
    {"point-lookup", {point_lookup, true}},
    {"queries", {queries, true}},
    {"session-counter", {session_counter, true}},
    {"sha256", {sha256, false}},
    {"static", {files, false}},
    {"updates", {updates, true}},
};

const Scenario& chosen() {
    const std::string name = required("WEBDYNO_SCENARIO");
    const auto found = SCENARIOS.find(name);
    if (found == SCENARIOS.end()) {
        std::string known;
        for (const auto& [each, _] : SCENARIOS) {
            known += (known.empty() ? "" : ", ") + each;
        }
        refuse("WEBDYNO_SCENARIO is '" + name + "': expected one of " + known);
    }
    return found->second;
}

}  // namespace

int main() {
    // Before any thread is made, so that none but this one takes them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, nullptr);

    const Scenario& scenario = chosen();
    Rest::Router router;
    scenario.mount(router);

    const int threads = scenario.waits ? number("WEBDYNO_POOL", 16) : number("WEBDYNO_CPUS", 1);
    const Port port(static_cast<std::uint16_t>(std::stoi(required("PORT"))));
    Http::Endpoint server{Address{optional("HOST", "127.0.0.1"), port}};
    server.init(Http::Endpoint::options()
                    .threads(threads)
                    .maxRequestSize(MOST_REQUEST_BYTES)
                    .flags(Tcp::Options::ReuseAddr | Tcp::Options::NoDelay)
                    .keepaliveTimeout(std::chrono::seconds{75}));
    server.setHandler(router.handler());
    server.serveThreaded();

    int signal = 0;
    sigwait(&signals, &signal);
    server.shutdown();
}
