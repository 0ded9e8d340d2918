// {{name}}: what this function answers becomes claims of the token.

#include "claims.hpp"

static claimsmith::Answer get_custom_jwt_claims(const claimsmith::Request &request) {
  // What a backend said about an impersonation; of other tokens there is nothing to say.
  const auto said = request.said();
  if (!said) return claimsmith::Claims();
  const auto ticket = said->member("ticketId");
  if (!ticket) return claimsmith::Denied{"Name the ticket."};

  claimsmith::log("acting for a ticket");
  const auto name = std::string(request.variable("PREFIX")) + "ticket_id";
  return claimsmith::Claims().add(name, *ticket);
}

CLAIMSMITH_CLAIMS_PLUGIN(get_custom_jwt_claims)
