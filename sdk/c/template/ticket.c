/* {{name}}: what this function answers becomes claims of the token. */

#include "claimsmith.h"

bool exports_plugin_get_custom_jwt_claims(plugin_claims_request_t *request, plugin_json_t *claims, plugin_failure_t *failure) {
  cs_writer answer = {0};

  /* What a backend said about an impersonation; of other tokens there is nothing to say. */
  const claimsmith_plugin_types_option_grant_t *grant = &request->context.grant;
  if (grant->is_some && grant->val.subject_token_context.is_some) {
    const cs_text ticket = cs_member(cs_of(grant->val.subject_token_context.val), "ticketId");
    if (!ticket.at) return cs_deny("Name the ticket.", failure);
    cs_log(CLAIMSMITH_PLUGIN_LOG_LEVEL_INFO, ticket);
    cs_add(&answer, cs_variable(request->environment_variables, "PREFIX"), "ticket_id", ticket);
  }

  *claims = cs_object(&answer);
  return true;
}
