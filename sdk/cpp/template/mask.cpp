// {{name}}: receivers are told who changed, and nothing else of them.

#include "transform.hpp"

static claimsmith::Outcome transform(const claimsmith::Delivery &delivery) {
  const auto event = delivery.event().event(), data = delivery.event().data();
  const auto id = data ? data->member("id") : std::nullopt;
  if (!event || !id) return claimsmith::Changed{};
  const auto username = data->member("username");
  if (username && username->unquoted() == "test-robot") return claimsmith::Dropped{"the test robot is nobody's customer"};

  const auto who = claimsmith::Object().add("id", *id).json();
  const auto body = claimsmith::Object().add("event", *event).add("data", {who}).json();
  return claimsmith::Changed{body, {{"x-environment", std::string(delivery.variable("ENVIRONMENT"))}}, "users"};
}

CLAIMSMITH_TRANSFORM_PLUGIN(transform)
