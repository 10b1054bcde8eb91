#pragma once

#include <httplib.h>

#include <string>

/// Serves the files below a folder at their paths.
void mount_files(httplib::Server& server, const std::string& folder);

/// Each mounts the routes of the scenario with its name; `files` those of static.
void blog(httplib::Server& server);
void cached(httplib::Server& server);
void files(httplib::Server& server);
void fortunes(httplib::Server& server);
void page(httplib::Server& server);
void point_lookup(httplib::Server& server);
void session_counter(httplib::Server& server);
void sse(httplib::Server& server);
void stream(httplib::Server& server);
