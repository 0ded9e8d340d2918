// Webhook transforms in C++: what they are asked, and what they make of it.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "claimsmith.hpp"
#include "shapes.hpp"

namespace claimsmith {

// One delivery, before it is sent for the first time.
class Delivery {
 public:
  explicit Delivery(const plugin_delivery_t &delivery) : delivery_(delivery) {}

  std::string_view id() const { return detail::text_of(delivery_.id); }
  Event event() const { return Event{{detail::text_of(delivery_.event)}}; }
  Hook hook() const { return Hook{{detail::text_of(delivery_.hook)}}; }

  // One of the plugin's variables, or what stands for it.
  std::string_view variable(std::string_view name, std::string_view otherwise = "") const {
    return claimsmith::variable(delivery_.environment_variables, name, otherwise);
  }

 private:
  const plugin_delivery_t &delivery_;
};

// What becomes of a delivery.
using Outcome = std::variant<Changed, Dropped, Failed>;

inline bool answer(const Outcome &made, plugin_outcome_t *outcome, plugin_failure_t *failure) {
  *outcome = {};
  if (const auto *failed = std::get_if<Failed>(&made)) {
    failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_FAILED;
    failure->val.failed = detail::owned(failed->text);
    return false;
  }
  if (const auto *dropped = std::get_if<Dropped>(&made)) {
    outcome->tag = CLAIMSMITH_PLUGIN_WEBHOOKS_OUTCOME_DROP;
    outcome->val.drop = detail::owned(dropped->drop);
    return true;
  }
  const auto &changed = *std::get_if<Changed>(&made);
  auto &sent = outcome->val.send;
  outcome->tag = CLAIMSMITH_PLUGIN_WEBHOOKS_OUTCOME_SEND;
  if (changed.body) {
    sent.body.is_some = true;
    sent.body.val = detail::owned(*changed.body);
  }
  if (changed.path) {
    sent.path.is_some = true;
    sent.path.val = detail::owned(*changed.path);
  }
  auto *pairs = static_cast<plugin_tuple2_string_string_t *>(std::calloc(changed.headers.size() + 1, sizeof *sent.headers.ptr));
  if (!pairs) std::abort();
  for (std::size_t i = 0; i < changed.headers.size(); i++)
    pairs[i] = {detail::owned(changed.headers[i].first), detail::owned(changed.headers[i].second)};
  sent.headers = {pairs, changed.headers.size()};
  return true;
}

}  // namespace claimsmith

// Makes a function, from `const claimsmith::Delivery &` to `claimsmith::Outcome`, the plugin of this program.
#define CLAIMSMITH_TRANSFORM_PLUGIN(function)                                                               \
  bool exports_plugin_transform(plugin_delivery_t *delivery, plugin_outcome_t *outcome,                     \
                                plugin_failure_t *failure) {                                                \
    return claimsmith::answer(function(claimsmith::Delivery(*delivery)), outcome, failure);                 \
  }
