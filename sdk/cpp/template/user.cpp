// {{name}}: what this function answers becomes claims of the token.

#include "claims.hpp"

static claimsmith::Answer get_custom_jwt_claims(const claimsmith::Request &request) {
  // Tokens of applications themselves have no user.
  const auto user = request.user();
  if (!user) return claimsmith::Claims();

  auto name = user->name();
  if (!name || name->text == "null") name = user->username();
  if (!name || name->text == "null") name = user->id();
  if (!name) return claimsmith::Claims();

  claimsmith::log("claims for a user");
  const auto claim = std::string(request.variable("PREFIX")) + "display_name";
  return claimsmith::Claims().add(claim, *name);
}

CLAIMSMITH_CLAIMS_PLUGIN(get_custom_jwt_claims)
