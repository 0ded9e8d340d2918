// Message plugins in C++: what they are told, and the request that they make of it.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "claimsmith.hpp"
#include "shapes.hpp"

namespace claimsmith {

// One message to a person.
class Message {
 public:
  explicit Message(const plugin_outgoing_message_t &message) : message_(message) {}

  std::string_view id() const { return detail::text_of(message_.id); }
  std::string_view channel() const { return detail::text_of(message_.channel); }
  std::string_view event() const { return detail::text_of(message_.event); }
  std::string_view recipient() const { return detail::text_of(message_.recipient); }
  std::string_view language() const { return detail::text_of(message_.language); }
  std::optional<std::string_view> code() const { return text(message_.code.is_some, message_.code.val); }
  std::optional<std::string_view> link() const { return text(message_.link.is_some, message_.link.val); }
  MessageContent content() const { return MessageContent{{detail::text_of(message_.content)}}; }
  MessageContext context() const { return MessageContext{{detail::text_of(message_.context)}}; }

  // One of the plugin's variables, or what stands for it.
  std::string_view variable(std::string_view name, std::string_view otherwise = "") const {
    return claimsmith::variable(message_.environment_variables, name, otherwise);
  }

 private:
  static std::optional<std::string_view> text(bool is_some, const plugin_string_t &text) {
    return is_some ? std::optional(detail::text_of(text)) : std::nullopt;
  }

  const plugin_outgoing_message_t &message_;
};

// The request that sends the message, or why there is none.
using Composed = std::variant<MessageRequest, Denied, Failed>;

inline bool answer(const Composed &composed, plugin_message_request_t *request, plugin_failure_t *failure) {
  if (const auto *denied = std::get_if<Denied>(&composed)) {
    failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_DENIED;
    failure->val.denied = detail::owned(denied->text);
    return false;
  }
  if (const auto *failed = std::get_if<Failed>(&composed)) {
    failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_FAILED;
    failure->val.failed = detail::owned(failed->text);
    return false;
  }
  const auto &made = *std::get_if<MessageRequest>(&composed);
  *request = {};
  request->method = detail::owned(made.method ? std::string_view(*made.method) : "POST");
  request->url = detail::owned(made.url);
  auto *pairs = static_cast<plugin_tuple2_string_string_t *>(std::calloc(made.headers.size() + 1, sizeof *request->headers.ptr));
  if (!pairs) std::abort();
  for (std::size_t i = 0; i < made.headers.size(); i++)
    pairs[i] = {detail::owned(made.headers[i].first), detail::owned(made.headers[i].second)};
  request->headers = {pairs, made.headers.size()};
  if (made.body) {
    request->body.is_some = true;
    request->body.val = detail::owned(*made.body);
  }
  return true;
}

}  // namespace claimsmith

// Makes a function, from `const claimsmith::Message &` to `claimsmith::Composed`, the plugin of this program.
#define CLAIMSMITH_MESSAGE_PLUGIN(function)                                                                      \
  bool exports_plugin_compose(plugin_outgoing_message_t *message, plugin_message_request_t *request,             \
                              plugin_failure_t *failure) {                                                       \
    return claimsmith::answer(function(claimsmith::Message(*message)), request, failure);                        \
  }
