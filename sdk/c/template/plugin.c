/* {{name}}: what this function answers becomes claims of the token. */

#include "claimsmith.h"

bool exports_claims_get_custom_jwt_claims(claims_claims_request_t *request, claims_json_t *claims, claims_failure_t *failure) {
  cs_writer writer = {0};

  /* What a backend said about an impersonation; of other tokens there is nothing to say. */
  cs_text said = cs_said(request);
  if (!said.at) return cs_answer(&writer, claims);
  cs_text ticket = cs_member(said, "ticketId");
  if (!ticket.at) return cs_deny("Name the ticket.", failure);

  cs_log(CLAIMSMITH_PLUGIN_LOG_LEVEL_INFO, ticket);
  cs_claim(&writer, cs_variable(request, "PREFIX"), "ticket_id", ticket);
  return cs_answer(&writer, claims);
}
