#pragma once

#include <string>
#include <string_view>

/// `text` made safe for HTML, as content and as a quoted attribute.
std::string escape(std::string_view text);
