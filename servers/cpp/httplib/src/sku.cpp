#include "answers.hpp"
#include "apps.hpp"
#include "lookup.hpp"
#include "pool.hpp"

void point_lookup(httplib::Server& server) {
    initialise_lookups();
    const auto pool = std::make_shared<Pool<LookupConnection>>();
    server.Get("/sku", [pool, candidates = Candidates{}](const httplib::Request& request,
                                                         httplib::Response& response) {
        const std::string id = request.has_param("id") ? request.get_param_value("id") : candidates.draw();
        const auto sku = Pool<LookupConnection>::Lease{*pool}->find(id);
        if (!sku) {
            send_text(response, "no such row", 404);
            return;
        }
        send_text(response, *sku);
    });
}
