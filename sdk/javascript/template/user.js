// {{name}}: what this function returns becomes claims of the token.

/** @type {import("./claimsmith").GetCustomJwtClaims} */
export const getCustomJwtClaims = async ({ context, environmentVariables }) => {
  const { PREFIX = "" } = environmentVariables;

  // Tokens of applications themselves have no user.
  const { user } = context;
  if (!user) return {};

  console.log("claims for", user.id);
  return { [`${PREFIX}display_name`]: user.name ?? user.username ?? user.id };
};
