/* {{name}}: asks another server what plan a user has, and keeps the answer for five minutes. */

#include "shapes.h"

enum { LIFETIME_SECONDS = 300 };

/* Nothing where the server knows no plan. It gets the API key from Claimsmith: the settings say where. */
static bool ask(cs_text user_id, cs_text *plan, plugin_failure_t *failure) {
  cs_writer url = {0};
  cs_write(&url, cs_chars("https://plans.example.com/plan?user="));
  cs_write(&url, cs_unquoted(user_id));
  claimsmith_plugin_http_request_t question = {.method = cs_string(cs_chars("GET")), .url = cs_string(cs_written(&url))};
  claimsmith_plugin_http_response_t told;
  plugin_string_t error;
  if (!claimsmith_plugin_http_send(&question, &told, &error)) return cs_fail(cs_of(error), failure);

  *plan = cs_member((cs_text){(const char *)told.body.ptr, told.body.len}, "plan");
  if (told.status != 200) *plan = (cs_text){NULL, 0};
  if (!plan->at) return true;
  return cs_cache_set(CLAIMSMITH_PLUGIN_CACHE_OWNER_USER, "plan", *plan, LIFETIME_SECONDS, failure);
}

bool exports_plugin_get_custom_jwt_claims(plugin_claims_request_t *request, plugin_json_t *claims, plugin_failure_t *failure) {
  cs_writer answer = {0};
  if (request->context.user.is_some) {
    cs_text plan;
    if (!cs_cache_get(CLAIMSMITH_PLUGIN_CACHE_OWNER_USER, "plan", &plan, failure)) return false;
    if (!plan.at && !ask(cs_user_id(cs_of(request->context.user.val)), &plan, failure)) return false;
    if (plan.at) cs_add(&answer, cs_chars(""), "plan", plan);
  }
  *claims = cs_object(&answer);
  return true;
}
