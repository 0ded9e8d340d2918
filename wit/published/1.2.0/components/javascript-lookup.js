// javascript-lookup: asks another server what plan a user has.

/** @type {import("./claimsmith").GetCustomJwtClaims} */
export const getCustomJwtClaims = async ({ context, environmentVariables }) => {
  if (!context.user) return {};
  const answer = await fetch(`https://plans.example.com/plan?user=${encodeURIComponent(context.user.id)}`, {
    headers: { authorization: `Bearer ${environmentVariables.API_KEY}` },
  });
  if (!answer.ok) return {};
  const { plan } = await answer.json();
  return { plan };
};
