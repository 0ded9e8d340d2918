// Claimsmith plugins in C++: what all kinds have in common, JSON, the log, and what was denied or failed.
#pragma once

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "bindings/plugin.h"

namespace claimsmith {

namespace detail {

// Where the string that begins at `at` ends, behind its closing quote.
inline std::size_t after_string(std::string_view text, std::size_t at) {
  for (at++; at < text.size() && text[at] != '"'; at++)
    if (text[at] == '\\') at++;
  return at < text.size() ? at + 1 : text.size();
}

// Where the value that begins at `at` ends.
inline std::size_t after_value(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = after_string(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '{' || c == '[') depth++;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    at++;
  }
  return at;
}

inline std::string_view text_of(const plugin_string_t &text) {
  return {reinterpret_cast<const char *>(text.ptr), text.len};
}

inline plugin_string_t owned(std::string_view text) {
  plugin_string_t copy{};
  copy.ptr = static_cast<std::uint8_t *>(std::malloc(text.size() + 1));
  copy.len = text.size();
  if (!copy.ptr) std::abort();
  std::memcpy(copy.ptr, text.data(), text.size());
  return copy;
}

}  // namespace detail

// A JSON text, such as `{"id":"u1"}` or `"T-1"`.
struct Json {
  std::string_view text;

  // The member of an object. Names are compared as they are written.
  std::optional<Json> member(std::string_view name) const {
    if (text.empty() || text.front() != '{') return std::nullopt;
    std::size_t at = 1;
    while (at < text.size()) {
      at = text.find_first_of("\"}", at);
      if (at == std::string_view::npos || text[at] == '}') break;
      const std::size_t after = detail::after_string(text, at);
      const std::string_view key = text.substr(at + 1, after - at - 2);
      at = text.find_first_not_of(": \n\t\r", after);
      if (at == std::string_view::npos) break;
      const std::size_t end = detail::after_value(text, at);
      if (key == name) return Json{text.substr(at, end - at)};
      at = end;
    }
    return std::nullopt;
  }

  // The same as one of the shapes of the schema.
  template <typename Shape>
  std::optional<Shape> as(std::string_view name) const {
    const auto found = member(name);
    return found ? std::optional<Shape>(Shape{*found}) : std::nullopt;
  }

  // What stands between the quotes of a string that has no escapes; nothing for every other value.
  std::string_view unquoted() const {
    if (text.size() < 2 || text.front() != '"' || text.find('\\') != std::string_view::npos) return {};
    return text.substr(1, text.size() - 2);
  }
};

// A JSON object that is being written.
class Object {
 public:
  // Adds a member, whose name needs no escapes.
  Object &add(std::string_view name, Json value) {
    text_ += text_.empty() ? "{\"" : ",\"";
    text_ += name;
    text_ += "\":";
    text_ += value.text;
    return *this;
  }

  // Adds a member whose value is a text.
  Object &add_string(std::string_view name, std::string_view text) {
    const std::string value = quoted(text);
    return add(name, Json{value});
  }

  std::string json() const { return text_.empty() ? "{}" : text_ + "}"; }

  // A text as a JSON string, with the escapes that it needs.
  static std::string quoted(std::string_view text) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string value = "\"";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20) {
        value += "\\u00";
        value += digits[byte >> 4];
        value += digits[byte & 15];
        continue;
      }
      if (c == '"' || c == '\\') value += '\\';
      value += c;
    }
    return value + "\"";
  }

 private:
  std::string text_;
};

// One of the plugin's variables, or what stands for it.
inline std::string_view variable(const plugin_list_tuple2_string_string_t &variables, std::string_view name,
                                 std::string_view otherwise = "") {
  for (std::size_t i = 0; i < variables.len; i++)
    if (detail::text_of(variables.ptr[i].f0) == name) return detail::text_of(variables.ptr[i].f1);
  return otherwise;
}

// The plugin could not do its work; the text goes to its log.
struct Failed {
  std::string text;
};

// The token must not be issued, and the text is shown to the application; or the message is not to be sent.
struct Denied {
  std::string text;
};

// Writes to the plugin's log.
inline void log(std::string_view text, claimsmith_plugin_log_level_t level = CLAIMSMITH_PLUGIN_LOG_LEVEL_INFO) {
  plugin_string_t line = detail::owned(text);
  claimsmith_plugin_log_write(level, &line);
}

}  // namespace claimsmith

// What the bindings ask for; `claimsmith plugin build` adds the contract itself.
extern "C" __attribute__((weak)) void __component_type_object_force_link_plugin(void) {}
