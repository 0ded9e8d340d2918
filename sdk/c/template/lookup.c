/* {{name}}: asks another server what plan a user has. */

#include "shapes.h"

bool exports_plugin_get_custom_jwt_claims(plugin_claims_request_t *request, plugin_json_t *claims, plugin_failure_t *failure) {
  cs_writer answer = {0};
  if (request->context.user.is_some) {
    cs_writer url = {0}, key = {0};
    cs_write(&url, cs_chars("https://plans.example.com/plan?user="));
    cs_write(&url, cs_unquoted(cs_user_id(cs_of(request->context.user.val))));
    cs_write(&key, cs_chars("Bearer "));
    cs_write(&key, cs_variable(request->environment_variables, "API_KEY"));

    plugin_tuple2_string_string_t authorization = {cs_string(cs_chars("authorization")), cs_string(cs_written(&key))};
    claimsmith_plugin_http_request_t question = {
        .method = cs_string(cs_chars("GET")), .url = cs_string(cs_written(&url)), .headers = {&authorization, 1}};
    claimsmith_plugin_http_response_t told;
    plugin_string_t error;
    if (!claimsmith_plugin_http_send(&question, &told, &error)) return cs_fail(cs_of(error), failure);

    const cs_text plan = cs_member((cs_text){(const char *)told.body.ptr, told.body.len}, "plan");
    if (told.status == 200 && plan.at) cs_add(&answer, cs_chars(""), "plan", plan);
  }
  *claims = cs_object(&answer);
  return true;
}
