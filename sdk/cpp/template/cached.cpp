// {{name}}: asks another server what plan a user has, and keeps the answer for five minutes.

#include "claims.hpp"

namespace cache = claimsmith::cache;

constexpr std::uint32_t lifetime_seconds = 300;

static claimsmith::Answer get_custom_jwt_claims(const claimsmith::Request &request) {
  const auto user = request.user();
  const auto id = user ? user->id() : std::nullopt;
  if (!id) return claimsmith::Claims();

  const auto kept = cache::get(cache::Owner::user, "plan");
  if (const auto *failed = std::get_if<claimsmith::Failed>(&kept)) return *failed;
  const auto &found = *std::get_if<cache::Found>(&kept);
  if (found) return claimsmith::Claims().add("plan", claimsmith::Json{*found});

  // The server adds the API key: the settings say where.
  const auto told = claimsmith::fetch("https://plans.example.com/plan?user=" + std::string(id->unquoted()));
  if (const auto *failed = std::get_if<claimsmith::Failed>(&told)) return *failed;
  const auto &response = *std::get_if<claimsmith::Response>(&told);
  const auto plan = claimsmith::Json{response.body}.member("plan");
  if (response.status != 200 || !plan) return claimsmith::Claims();

  if (const auto failed = cache::set(cache::Owner::user, "plan", *plan, lifetime_seconds)) return *failed;
  return claimsmith::Claims().add("plan", *plan);
}

CLAIMSMITH_CLAIMS_PLUGIN(get_custom_jwt_claims)
