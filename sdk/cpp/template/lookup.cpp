// {{name}}: asks another server what plan a user has.

#include "claims.hpp"

static claimsmith::Answer get_custom_jwt_claims(const claimsmith::Request &request) {
  const auto user = request.user();
  const auto id = user ? user->id() : std::nullopt;
  if (!id) return claimsmith::Claims();

  const auto url = "https://plans.example.com/plan?user=" + std::string(id->unquoted());
  const auto told = claimsmith::fetch(url, {{"authorization", "Bearer " + std::string(request.variable("API_KEY"))}});
  if (const auto *failed = std::get_if<claimsmith::Failed>(&told)) return *failed;

  const auto &response = *std::get_if<claimsmith::Response>(&told);
  const auto plan = claimsmith::Json{response.body}.member("plan");
  if (response.status != 200 || !plan) return claimsmith::Claims();
  return claimsmith::Claims().add("plan", *plan);
}

CLAIMSMITH_CLAIMS_PLUGIN(get_custom_jwt_claims)
