#include <algorithm>
#include <filesystem>
#include <map>

#include "answers.hpp"
#include "apps.hpp"
#include "environment.hpp"

namespace {

using namespace Pistache;
namespace fs = std::filesystem;

/// Pistache knows the media type of pictures and texts only.
Http::Mime::MediaType media_type(const fs::path& file) {
    static const std::map<std::string, std::string> types = {
        {".css", "text/css"},         {".html", "text/html"}, {".js", "application/javascript"},
        {".svg", "image/svg+xml"},    {".png", "image/png"},  {".txt", "text/plain"},
    };
    const auto found = types.find(file.extension());
    return Http::Mime::MediaType::fromString(found == types.end() ? "application/octet-stream" : found->second);
}

/// The file below `root` at the path of a request, where there is one.
std::optional<fs::path> find(const fs::path& root, const std::string& resource) {
    const std::string path = decoded(resource, false);
    if (path.find('\0') != std::string::npos) {
        return std::nullopt;
    }
    std::error_code error;
    const fs::path file = fs::weakly_canonical(root / fs::path{path}.relative_path(), error);
    const bool below = std::ranges::mismatch(root, file).in1 == root.end();
    return !error && below && fs::is_regular_file(file, error) ? std::optional{file} : std::nullopt;
}

}  // namespace

void mount_files(Rest::Router& router, const std::string& folder) {
    router.addCustomHandler([root = fs::canonical(folder)](const Request& request, Response response) {
        const auto file = request.method() == Http::Method::Get ? find(root, request.resource()) : std::nullopt;
        if (!file) {
            return Rest::Route::Result::Failure;
        }
        keep_alive(request, response);
        Http::serveFile(response, *file, media_type(*file));
        return Rest::Route::Result::Ok;
    });
}

void files(Rest::Router& router) {
    mount_files(router, required("WEBDYNO_STATIC"));
}
