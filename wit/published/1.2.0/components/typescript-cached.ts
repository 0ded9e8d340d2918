// typescript-cached: asks another server what plan a user has, and keeps the answer for five minutes.

import type { GetCustomJwtClaims } from "./claimsmith";

export const getCustomJwtClaims: GetCustomJwtClaims = async ({ context, api }) => {
  if (!context.user) return {};
  const kept = api.cache.get<string | null>("user", "plan");
  if (kept !== undefined) return { plan: kept };

  // The server adds the API key: the settings say where.
  const answer = await fetch(`https://plans.example.com/plan?user=${encodeURIComponent(context.user.id)}`);
  if (!answer.ok) return {};
  const { plan = null } = (await answer.json()) as { plan?: string };
  api.cache.set("user", "plan", plan, 300);
  return { plan };
};
