/* {{name}}: sends text messages by a provider with a JSON API. */

#include "shapes.h"

bool exports_plugin_compose(plugin_outgoing_message_t *message, plugin_message_request_t *request, plugin_failure_t *failure) {
  if (!cs_is(cs_of(message->channel), "Sms")) return cs_deny("This provider sends text messages only.", failure);

  const cs_text text = cs_message_content_text(cs_of(message->content));
  cs_writer key = {0}, body = {0};
  cs_write(&key, cs_chars("Bearer "));
  cs_write(&key, cs_variable(message->environment_variables, "API_KEY"));
  cs_add_string(&body, "id", cs_of(message->id));
  cs_add_string(&body, "from", cs_variable(message->environment_variables, "SENDER"));
  cs_add_string(&body, "to", cs_of(message->recipient));
  cs_add(&body, cs_chars(""), "text", text.at ? text : cs_chars("\"\""));

  plugin_tuple2_string_string_t *headers = cs_allocate(2 * sizeof *headers);
  headers[0].f0 = cs_copy(cs_chars("authorization"));
  headers[0].f1 = cs_copy(cs_written(&key));
  headers[1].f0 = cs_copy(cs_chars("content-type"));
  headers[1].f1 = cs_copy(cs_chars("application/json"));
  *request = (plugin_message_request_t){
      .method = cs_copy(cs_chars("POST")),
      .url = cs_copy(cs_chars("https://sms.example.com/messages")),
      .headers = {headers, 2},
      .body = {true, cs_object(&body)},
  };
  return true;
}
