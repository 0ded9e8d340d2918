// What plan a user has, as a service of your own says: asked once in five minutes for each user, not for every token.
//
// The answer is kept in the plugin's cache, on each node, for this user alone: `api.cache` adds the user's id to the key.
// The API key is not here either: the server adds it to the requests, as subscription.toml says, and hides it in the answers.
//
// It is off until you have such a service: subscription.toml names what to change.

const LIFETIME_SECONDS = 5 * 60;

export const getCustomJwtClaims = async ({ context, environmentVariables, api }) => {
  // A token of an application itself represents no user.
  if (!context.user) return {};

  // Undefined is no entry: never asked, or too long ago.
  let plan = api.cache.get("user", "plan");
  if (plan === undefined) {
    plan = await ask(environmentVariables.PLANS_URL, context.user.id);
    api.cache.set("user", "plan", plan, LIFETIME_SECONDS);
  }

  // Null is the answer about a user without a plan. A member that is undefined does not become a claim.
  return { plan: plan ?? undefined };
};

async function ask(url, user) {
  const answer = await fetch(`${url}?user=${encodeURIComponent(user)}`);
  // That a user is not known is an answer, too, and worth keeping. A server that has a bad day is not.
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`the service of plans answered ${answer.status}`);
  const { plan } = await answer.json();
  return plan ?? null;
}
