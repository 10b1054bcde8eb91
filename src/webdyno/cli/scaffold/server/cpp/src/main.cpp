// A server on cpp-httplib. Add your scenarios to APPS.
#include <httplib.h>
#include <sys/socket.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <limits>
#include <map>
#include <string>

namespace {

/// A connection has a thread of the pool as long as it lasts: so many can be open, the next ones wait.
constexpr std::size_t THREADS = 256;
/// Longer than clients and proxies wait, so that they close first.
constexpr int IDLE_S = 75;
constexpr std::chrono::seconds GRACE{1};

void hello(httplib::Server& server) {
    server.Get("/hello", [](const httplib::Request&, httplib::Response& response) {
        response.set_content("Hello World", "text/plain; charset=utf-8");
    });
}

const std::map<std::string, void (*)(httplib::Server&)> APPS = {{"hello", hello}};

/// Answers an error of a handler with 500; by default the library would tell it to the client.
void failed(const httplib::Request&, httplib::Response& response, std::exception_ptr error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        std::cerr << known.what() << std::endl;
    } catch (...) {
        std::cerr << "an unknown error" << std::endl;
    }
    response.status = 500;
    response.set_content("Internal Server Error", "text/plain; charset=utf-8");
}

std::string setting(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

}  // namespace

int main() {
    // Before any thread is made, so that none but this one takes them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, nullptr);

    const std::string scenario = setting("WEBDYNO_SCENARIO", "");
    const auto app = APPS.find(scenario);
    if (app == APPS.end()) {
        std::cerr << "WEBDYNO_SCENARIO is '" << scenario << "'; one of:";
        for (const auto& [name, _] : APPS) {
            std::cerr << ' ' << name;
        }
        std::cerr << '\n';
        return 2;
    }
    httplib::Server server;
    app->second(server);
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
    const std::string port = setting("PORT", "");
    // The library lets five connections wait to be accepted, so that the next ones try again after a second.
    if (!server.bind_to_port(setting("HOST", "127.0.0.1"), std::atoi(port.c_str())) ||
        listen(listening, SOMAXCONN) != 0) {
        std::cerr << "cannot listen on port '" << port << "'\n";
        return 1;
    }
    const auto served = std::async(std::launch::async, [&server] {
        if (!server.listen_after_bind()) {
            std::cerr << "no connection can be accepted any more\n";
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
