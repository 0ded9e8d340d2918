// Claims plugins in C++: what they are asked, what they answer, and requests to other servers.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "claimsmith.hpp"
#include "shapes.hpp"

namespace claimsmith {

// One request for claims. What does not apply is absent.
class Request {
 public:
  explicit Request(const plugin_claims_request_t &request) : request_(request) {}

  Token token() const { return Token{{detail::text_of(request_.token)}}; }
  std::optional<User> user() const { return shape<User>(request_.context.user); }
  std::optional<Application> application() const { return shape<Application>(request_.context.application); }
  std::optional<Organization> organization() const { return shape<Organization>(request_.context.organization); }
  std::optional<Interaction> interaction() const { return shape<Interaction>(request_.context.interaction); }

  // What the backend said with the subject token.
  std::optional<Json> said() const {
    const auto &grant = request_.context.grant;
    return grant.is_some ? shape<Json>(grant.val.subject_token_context) : std::nullopt;
  }

  // One of the plugin's variables, or what stands for it.
  std::string_view variable(std::string_view name, std::string_view otherwise = "") const {
    return claimsmith::variable(request_.environment_variables, name, otherwise);
  }

 private:
  template <typename Shape, typename Option>
  static std::optional<Shape> shape(const Option &option) {
    if (!option.is_some) return std::nullopt;
    return Shape{{detail::text_of(option.val)}};
  }

  const plugin_claims_request_t &request_;
};

// What the plugin answers: each member becomes a claim.
using Claims = Object;

using Answer = std::variant<Claims, Denied, Failed>;

using Headers = std::vector<std::pair<std::string, std::string>>;

// An answer of another server.
struct Response {
  std::uint16_t status;
  std::string body;
};

// Asks a server that `[capabilities.http]` of the settings grants.
inline std::variant<Response, Failed> fetch(std::string_view url, const Headers &headers = {},
                                            std::string_view method = "GET",
                                            std::optional<std::string_view> body = std::nullopt) {
  std::vector<plugin_tuple2_string_string_t> pairs;
  for (const auto &[name, value] : headers) pairs.push_back({detail::owned(name), detail::owned(value)});
  claimsmith_plugin_http_request_t question{};
  question.method = detail::owned(method);
  question.url = detail::owned(url);
  question.headers = {pairs.data(), pairs.size()};
  if (body) {
    const auto sent = detail::owned(*body);
    question.body = {true, {sent.ptr, sent.len}};
  }
  claimsmith_plugin_http_response_t told;
  plugin_string_t error;
  if (!claimsmith_plugin_http_send(&question, &told, &error)) return Failed{std::string(detail::text_of(error))};
  return Response{told.status, std::string(reinterpret_cast<const char *>(told.body.ptr), told.body.len)};
}

// What a plugin keeps for its later calls, as JSON text. `[capabilities.cache]` of the settings must declare it. An entry
// may be gone at any time.
namespace cache {

// Whose an entry is. The server adds the id, so that no call reaches an entry of another user or application.
enum class Owner : claimsmith_plugin_cache_owner_t {
  user = CLAIMSMITH_PLUGIN_CACHE_OWNER_USER,
  application = CLAIMSMITH_PLUGIN_CACHE_OWNER_APPLICATION,
  everybody = CLAIMSMITH_PLUGIN_CACHE_OWNER_EVERYBODY,
};

// What was stored under this key; nothing where there is no such entry.
using Found = std::optional<std::string>;

inline std::variant<Found, Failed> get(Owner owner, std::string_view key) {
  plugin_string_t name = detail::owned(key), error;
  plugin_option_list_u8_t entry;
  if (!claimsmith_plugin_cache_get(static_cast<claimsmith_plugin_cache_owner_t>(owner), &name, &entry, &error))
    return Failed{std::string(detail::text_of(error))};
  if (!entry.is_some) return Found();
  return Found(std::string(reinterpret_cast<const char *>(entry.val.ptr), entry.val.len));
}

// Stores JSON text for this many seconds, from 1 to 3600, in the place of what was there.
inline std::optional<Failed> set(Owner owner, std::string_view key, Json value, std::uint32_t seconds) {
  plugin_string_t name = detail::owned(key), error;
  const auto text = detail::owned(value.text);
  plugin_list_u8_t bytes{text.ptr, text.len};
  if (claimsmith_plugin_cache_set(static_cast<claimsmith_plugin_cache_owner_t>(owner), &name, &bytes, seconds, &error))
    return std::nullopt;
  return Failed{std::string(detail::text_of(error))};
}

}  // namespace cache

inline bool answer(const Answer &answer, plugin_json_t *claims, plugin_failure_t *failure) {
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
#define CLAIMSMITH_CLAIMS_PLUGIN(function)                                                              \
  bool exports_plugin_get_custom_jwt_claims(plugin_claims_request_t *request, plugin_json_t *claims,    \
                                            plugin_failure_t *failure) {                                \
    return claimsmith::answer(function(claimsmith::Request(*request)), claims, failure);                \
  }
