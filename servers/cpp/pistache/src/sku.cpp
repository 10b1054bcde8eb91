#include <memory>

#include "answers.hpp"
#include "apps.hpp"
#include "lookup.hpp"

namespace {

/// The connection of this thread, made at its first use and again after an error.
LookupConnection& connection() {
    thread_local std::unique_ptr<LookupConnection> held;
    if (held == nullptr || !held->is_usable()) {
        held.reset();
        held = std::make_unique<LookupConnection>();
    }
    return *held;
}

}  // namespace

void point_lookup(Pistache::Rest::Router& router) {
    initialise_lookups();
    const auto find = [candidates = Candidates{}](const Request& request, Response& response) {
        const std::string id = request.query().has("id") ? parameter(request, "id") : candidates.draw();
        const auto sku = connection().find(id);
        if (!sku) {
            send_text(response, "no such row", Pistache::Http::Code::Not_Found);
            return;
        }
        send_text(response, *sku);
    };
    Pistache::Rest::Routes::Get(router, "/sku", handler(find));
}
