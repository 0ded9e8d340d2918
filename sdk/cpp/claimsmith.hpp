// Claimsmith plugins in C++: the request with its JSON, claims written as JSON, and what failed.
#pragma once

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "bindings/claims.h"

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

inline std::string_view text_of(const claims_string_t &text) {
  return {reinterpret_cast<const char *>(text.ptr), text.len};
}

inline claims_string_t owned(std::string_view text) {
  claims_string_t copy{};
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
};

// One request for claims. What does not apply is absent.
class Request {
 public:
  explicit Request(const claims_claims_request_t &request) : request_(request) {}

  Json token() const { return {detail::text_of(request_.token)}; }
  std::optional<Json> user() const { return json(request_.context.user); }
  std::optional<Json> application() const { return json(request_.context.application); }
  std::optional<Json> organization() const { return json(request_.context.organization); }
  std::optional<Json> interaction() const { return json(request_.context.interaction); }

  // What the backend said with the subject token.
  std::optional<Json> said() const {
    const auto &grant = request_.context.grant;
    return grant.is_some ? json(grant.val.subject_token_context) : std::nullopt;
  }

  // One of the plugin's variables, or what stands for it.
  std::string_view variable(std::string_view name, std::string_view otherwise = "") const {
    for (std::size_t i = 0; i < request_.environment_variables.len; i++) {
      const auto &pair = request_.environment_variables.ptr[i];
      if (detail::text_of(pair.f0) == name) return detail::text_of(pair.f1);
    }
    return otherwise;
  }

 private:
  template <typename Option>
  static std::optional<Json> json(const Option &option) {
    if (!option.is_some) return std::nullopt;
    return Json{detail::text_of(option.val)};
  }

  const claims_claims_request_t &request_;
};

// What the plugin answers.
class Claims {
 public:
  // Adds a claim, whose name needs no escapes.
  Claims &add(std::string_view name, Json value) {
    text_ += text_.empty() ? "{\"" : ",\"";
    text_ += name;
    text_ += "\":";
    text_ += value.text;
    return *this;
  }

  std::string json() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

// The token must not be issued; the text is shown to the application.
struct Denied {
  std::string text;
};

// The plugin could not do its work; the text goes to its log.
struct Failed {
  std::string text;
};

using Answer = std::variant<Claims, Denied, Failed>;

// Writes to the plugin's log.
inline void log(std::string_view text, claimsmith_plugin_log_level_t level = CLAIMSMITH_PLUGIN_LOG_LEVEL_INFO) {
  claims_string_t line = detail::owned(text);
  claimsmith_plugin_log_write(level, &line);
}

inline bool answer(const Answer &answer, claims_json_t *claims, claims_failure_t *failure) {
  if (const auto *answered = std::get_if<Claims>(&answer)) {
    *claims = detail::owned(answered->json());
    return true;
  }
  if (const auto *denied = std::get_if<Denied>(&answer)) {
    failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_DENIED;
    failure->val.denied = detail::owned(denied->text);
  } else {
    failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_FAILED;
    failure->val.failed = detail::owned(std::get_if<Failed>(&answer)->text);
  }
  return false;
}

}  // namespace claimsmith

// Makes a function, from `const claimsmith::Request &` to `claimsmith::Answer`, the plugin of this program.
#define CLAIMSMITH_CLAIMS_PLUGIN(function)                                                                        \
  extern "C" __attribute__((weak)) void __component_type_object_force_link_claims(void) {}                       \
  bool exports_claims_get_custom_jwt_claims(claims_claims_request_t *request, claims_json_t *claims,             \
                                            claims_failure_t *failure) {                                         \
    return claimsmith::answer(function(claimsmith::Request(*request)), claims, failure);                          \
  }
