#include <httplib.h>
#include <sys/socket.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>
#include <iostream>
#include <limits>
#include <map>
#include <string>

#include "answers.hpp"
#include "apps.hpp"
#include "digests.hpp"
#include "environment.hpp"
#include "random.hpp"
#include "rows.hpp"

namespace {

using httplib::Request;
using httplib::Response;
using httplib::Server;

constexpr int MOST_ROUNDS = 100'000;
/// A connection has a thread of the pool as long as it lasts: so many can be open, the next ones wait.
constexpr std::size_t THREADS = 256;
/// Longer than clients and proxies wait, so that they close first.
constexpr int IDLE_S = 75;
constexpr std::chrono::seconds GRACE{1};

void hello(Server& server) {
    server.Get("/hello", [](const Request&, Response& response) { send_text(response, "Hello World"); });
}

void json(Server& server) {
    server.Get("/json", [](const Request&, Response& response) {
        send_json(response, [](Json& json) {
            json.StartObject();
            for (int number = 1; number <= 10; ++number) {
                json.Key(("Test Number " + std::to_string(number)).c_str());
                json.Int(random_integer(0, 1000));
            }
            json.EndObject();
        });
    });
}

void sha256(Server& server) {
    server.Get("/benchmark", [file = required("WEBDYNO_FILE")](const Request& request, Response& response) {
        const int rounds = whole(request.get_param_value("n"), MOST_ROUNDS + 1).value_or(0);
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            send_text(response, "n must be an integer from 1 to 100000", 400);
            return;
        }
        send_text(response, digest_chain(file, rounds));
    });
}

/// Answers with the JSON of a list.
template <typename List>
void send_list(Response& response, const List& list) {
    send_json(response, [&list](Json& json) {
        json.StartArray();
        for (const auto& each : list) {
            write(json, each);
        }
        json.EndArray();
    });
}

void queries(Server& server) {
    server.Get("/queries", [](const Request& request, Response& response) {
        send_list(response, read_worlds(row_count(request)));
    });
}

void updates(Server& server) {
    server.Post("/updates", [](const Request& request, Response& response) {
        send_list(response, count_items(row_count(request)));
    });
}

const std::map<std::string, void (*)(Server&)> SCENARIOS = {
    {"blog", blog},
    {"cached", cached},
    {"fortunes", fortunes},
    {"hello", hello},
    {"json", json},
    {"page", page},
    {"point-lookup", point_lookup},
    {"queries", queries},
    {"session-counter", session_counter},
    {"sha256", sha256},
    {"sse", sse},
    {"static", files},
    {"stream", stream},
    {"updates", updates},
};

void mount(Server& server) {
    const std::string name = required("WEBDYNO_SCENARIO");
    const auto found = SCENARIOS.find(name);
    if (found == SCENARIOS.end()) {
        std::string known;
        for (const auto& [each, _] : SCENARIOS) {
            known += (known.empty() ? "" : ", ") + each;
        }
        refuse("WEBDYNO_SCENARIO is '" + name + "': expected one of " + known);
    }
    found->second(server);
}

/// Answers an error of ours with 500; by default cpp-httplib would tell it to the client.
void failed(const Request&, Response& response, std::exception_ptr error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        std::cerr << known.what() << std::endl;
    } catch (...) {
        std::cerr << "an unknown error" << std::endl;
    }
    send_text(response, "Internal Server Error", 500);
}

}  // namespace

int main() {
    // Before any thread is made, so that none but this one takes them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, nullptr);

    Server server;
    mount(server);
    server.set_exception_handler(failed);
    // Headers and body are sent one after the other: Nagle's algorithm would hold the body back.
    server.set_tcp_nodelay(true);
    server.set_keep_alive_max_count(std::numeric_limits<int>::max());
    server.set_keep_alive_timeout(IDLE_S);
    server.new_task_queue = [] { return new httplib::ThreadPool(THREADS); };

    socket_t listening = INVALID_SOCKET;
    server.set_socket_options([&listening](socket_t socket) {
        httplib::default_socket_options(socket);
        listening = socket;
    });

    const int port = std::stoi(required("PORT"));
    // Debian's library lets five connections wait to be accepted, so that the next ones try again after a second.
    if (!server.bind_to_port(optional("HOST", "127.0.0.1"), port) || listen(listening, SOMAXCONN) != 0) {
        std::cerr << "cannot listen on port " << port << std::endl;
        return 1;
    }
    const auto served = std::async(std::launch::async, [&server] {
        if (!server.listen_after_bind()) {
            std::cerr << "no connection can be accepted any more" << std::endl;
            std::quick_exit(1);
        }
    });

    int signal = 0;
    sigwait(&signals, &signal);
    server.stop();
    served.wait_for(GRACE);
    // A thread ends only with its connection, which may be idle for long: what is still open is cut.
    std::quick_exit(0);
}
