// What the billing of a tenant wants to know of whoever calls it.
const plans = { basic: 1, plus: 5 };

/** Called for every access token. */
const getCustomJwtClaims = async ({ token, context, environmentVariables, api }) => {
  const { user, grant } = context;
  if (user?.isSuspended) {
    api.denyAccess("The account is closed.");
  }
  const plan = user?.customData?.plan ?? environmentVariables.DEFAULT_PLAN;
  return {
    seats: plans[plan] ?? 0,
    roles: user?.roles?.map(({ name }) => name) ?? [],
    ...(grant?.subjectTokenContext?.ticket ? { ticket: grant.subjectTokenContext.ticket } : {}),
    client: token.clientId,
  };
};
