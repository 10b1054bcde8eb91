#pragma once

#include <pistache/router.h>

#include <string>

/// Serves the files below a folder at their paths, where no route is found.
void mount_files(Pistache::Rest::Router& router, const std::string& folder);

/// Each mounts the routes of the scenario with its name; `files` those of static.
void blog(Pistache::Rest::Router& router);
void cached(Pistache::Rest::Router& router);
void files(Pistache::Rest::Router& router);
void fortunes(Pistache::Rest::Router& router);
void middleware(Pistache::Rest::Router& router);
void page(Pistache::Rest::Router& router);
void point_lookup(Pistache::Rest::Router& router);
void session_counter(Pistache::Rest::Router& router);
