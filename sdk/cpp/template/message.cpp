// {{name}}: sends text messages by a provider with a JSON API.

#include "message.hpp"

static claimsmith::Composed compose(const claimsmith::Message &message) {
  if (message.channel() != "Sms") return claimsmith::Denied{"This provider sends text messages only."};

  const auto text = message.content().text();
  const auto body = claimsmith::Object()
                        .add_string("id", message.id())
                        .add_string("from", message.variable("SENDER"))
                        .add_string("to", message.recipient())
                        .add("text", text.value_or(claimsmith::Json{"\"\""}))
                        .json();
  claimsmith::MessageRequest request{};
  request.url = "https://sms.example.com/messages";
  request.headers = {{"authorization", "Bearer " + std::string(message.variable("API_KEY"))},
                     {"content-type", "application/json"}};
  request.body = body;
  return request;
}

CLAIMSMITH_MESSAGE_PLUGIN(compose)
