// javascript-ticket: what this function returns becomes claims of the token.

/** @type {import("./claimsmith").GetCustomJwtClaims} */
export const getCustomJwtClaims = async ({ context, environmentVariables, api }) => {
  const { PREFIX = "" } = environmentVariables;

  // What a backend said about an impersonation; of other tokens there is nothing to say.
  const said = context.grant?.subjectTokenContext;
  if (!said) return {};
  if (!said.ticketId) api.denyAccess("Name the ticket.");

  console.log("acting for", context.user?.username);
  return { [`${PREFIX}ticket_id`]: said.ticketId };
};
