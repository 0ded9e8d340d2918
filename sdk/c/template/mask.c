/* {{name}}: receivers are told who changed, and nothing else of them. */

#include "claimsmith.h"

bool exports_plugin_transform(plugin_delivery_t *delivery, plugin_outcome_t *outcome, plugin_failure_t *failure) {
  (void)failure;
  const cs_text event = cs_of(delivery->event), data = cs_member(event, "data");
  *outcome = (plugin_outcome_t){.tag = CLAIMSMITH_PLUGIN_WEBHOOKS_OUTCOME_SEND};
  if (!data.at || data.at[0] != '{') return true;
  if (cs_is(cs_member(data, "username"), "\"test-robot\"")) {
    outcome->tag = CLAIMSMITH_PLUGIN_WEBHOOKS_OUTCOME_DROP;
    outcome->val.drop = cs_copy(cs_chars("the test robot is nobody's customer"));
    return true;
  }

  cs_writer who = {0}, body = {0};
  cs_add(&who, cs_chars(""), "id", cs_member(data, "id"));
  cs_add(&body, cs_chars(""), "event", cs_member(event, "event"));
  cs_add(&body, cs_chars(""), "data", cs_of(cs_object(&who)));
  plugin_tuple2_string_string_t *environment = cs_allocate(sizeof *environment);
  environment->f0 = cs_copy(cs_chars("x-environment"));
  environment->f1 = cs_copy(cs_variable(delivery->environment_variables, "ENVIRONMENT"));

  claimsmith_plugin_webhooks_changed_t *changed = &outcome->val.send;
  changed->body.is_some = true;
  changed->body.val = cs_object(&body);
  changed->headers.ptr = environment;
  changed->headers.len = 1;
  changed->path.is_some = true;
  changed->path.val = cs_copy(cs_chars("users"));
  return true;
}
