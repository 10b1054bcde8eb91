#include "apps.hpp"
#include "environment.hpp"

void mount_files(httplib::Server& server, const std::string& folder) {
    if (!server.set_mount_point("/", folder)) {
        refuse(folder + " is no folder");
    }
    // cpp-httplib would look for the file whose name is what precedes a zero byte.
    server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
        if (request.path.find('\0') == std::string::npos) {
            return httplib::Server::HandlerResponse::Unhandled;
        }
        response.status = 404;
        return httplib::Server::HandlerResponse::Handled;
    });
}

void files(httplib::Server& server) {
    mount_files(server, required("WEBDYNO_STATIC"));
}
