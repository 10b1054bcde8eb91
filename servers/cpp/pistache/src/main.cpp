#include <pistache/endpoint.h>
#include <pistache/router.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "digests.hpp"
#include "environment.hpp"
#include "random.hpp"
#include "rows.hpp"

namespace {

using namespace Pistache;
using Request = Rest::Request;
using Response = Http::ResponseWriter;

constexpr int MOST = 500;
constexpr int MOST_ROUNDS = 100'000;

void send_text(Response& response, Http::Code code, const std::string& text) {
    response.send(code, text, MIME(Text, Plain));
}

void send_json(Response& response, const nlohmann::json& value) {
    response.send(Http::Code::Ok, value.dump(), MIME(Application, Json));
}

/// The whole number in decimal digits that the query holds as `n`, at most `most`.
std::optional<int> whole(const Request& request, int most) {
    const auto text = request.query().get("n");
    if (!text || text->empty() || text->find_first_not_of("0123456789") != std::string::npos) {
        return std::nullopt;
    }
    int value = 0;
    for (const char digit : *text) {
        value = std::min(value * 10 + (digit - '0'), most);
    }
    return value;
}

int clamped(const Request& request) {
    return std::max(whole(request, MOST).value_or(1), 1);
}

/// A handler for the router, which answers an error of ours with 500. A client of HTTP/1.1 that says nothing of its
/// connection keeps it; Pistache would close it.
Rest::Route::Handler handler(std::function<void(const Request&, Response&)> work) {
    return [work = std::move(work)](const Request& request, Response response) {
        if (request.version() == Http::Version::Http11 && !request.headers().has<Http::Header::Connection>()) {
            response.headers().remove<Http::Header::Connection>();
            response.headers().add<Http::Header::Connection>(Http::ConnectionControl::KeepAlive);
        }
        work(request, response);
        return Rest::Route::Result::Ok;
    };
}

void hello(Rest::Router& router) {
    Rest::Routes::Get(router, "/hello", handler([](const Request&, Response& response) {
        send_text(response, Http::Code::Ok, "Hello World");
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
            send_text(response, Http::Code::Bad_Request, "n must be an integer from 1 to 100000");
            return;
        }
        send_text(response, Http::Code::Ok, digest_chain(file, rounds));
    }));
}

void queries(Rest::Router& router) {
    Rest::Routes::Get(router, "/queries", handler([](const Request& request, Response& response) {
        send_json(response, read_worlds(clamped(request)));
    }));
}

void updates(Rest::Router& router) {
    Rest::Routes::Post(router, "/updates", handler([](const Request& request, Response& response) {
        send_json(response, count_items(clamped(request)));
    }));
}

struct Scenario {
    void (*mount)(Rest::Router&);
    /// Whether handlers wait for a database, each thread with a connection of its own.
    bool waits;
};

const std::map<std::string, Scenario> SCENARIOS = {
    {"hello", {hello, false}},
    {"json", {json, false}},
    {"queries", {queries, true}},
    {"sha256", {sha256, false}},
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
                    .flags(Tcp::Options::ReuseAddr | Tcp::Options::NoDelay)
                    .keepaliveTimeout(std::chrono::seconds{75}));
    server.setHandler(router.handler());
    server.serveThreaded();

    int signal = 0;
    sigwait(&signals, &signal);
    server.shutdown();
}
