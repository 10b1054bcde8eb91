#pragma once

#include <string>

/// Ends the process with a line on stderr and exit code 2: the launch was wrong, not the server.
[[noreturn]] void refuse(const std::string& message);

/// The value of an environment variable, or `otherwise` where it is not set.
std::string optional(const std::string& name, const std::string& otherwise);

/// The value of an environment variable, without which the server cannot start.
std::string required(const std::string& name);

/// The whole number in an environment variable, or `otherwise` where it is not set.
int number(const std::string& name, int otherwise);
