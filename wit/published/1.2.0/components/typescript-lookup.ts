// typescript-lookup: asks another server what plan a user has.

import type { GetCustomJwtClaims } from "./claimsmith";

export const getCustomJwtClaims: GetCustomJwtClaims = async ({ context, environmentVariables }) => {
  if (!context.user) return {};
  const answer = await fetch(`https://plans.example.com/plan?user=${encodeURIComponent(context.user.id)}`, {
    headers: { authorization: `Bearer ${environmentVariables.API_KEY}` },
  });
  if (!answer.ok) return {};
  const { plan } = (await answer.json()) as { plan: string };
  return { plan };
};
