// Who helped whom, and why: puts what a backend said about an impersonation into the access token.
//
// The story: a support engineer acts for a customer. The backend asked Claimsmith for a subject token and sent along a
// `context` of its choice, for example
//
//   POST /api/subject-tokens   { "userId": "…", "context": { "ticketId": "T-1", "reason": "…", "supportEngineerId": "…" } }
//
// When an application exchanges that subject token, Claimsmith calls the function below, and whatever it returns becomes
// claims of the access token. Save this file while the server runs: the next token already comes from the new text.
//
// The function is given
//   token                  the token as far as it is known (scope, audience, …)
//   context.grant          how the token is asked for; here only for token exchanges
//   context.user           the user whom the token represents, with roles and organizations
//   context.application    the application that asks
//   context.organization   the organization that the token is for, if any
//   environmentVariables   the [environment] of impersonation.toml
//   api.denyAccess(text)   refuses the token; impersonation-guard.js shows it
// and may be async. Names that make a token what it is (sub, aud, exp, act, scope, …) cannot be set.
//
// A token is signed, not encrypted: whoever holds it can read these claims. Put nothing into them that they must not see.

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

export const getCustomJwtClaims = ({ context, environmentVariables }) => {
  // Every other way to a token is none of this plugin's business. An empty object adds nothing.
  if (context.grant?.type !== TOKEN_EXCHANGE) return {};

  // What the backend sent with the subject token. It chose the keys, so any of them may be missing.
  const { ticketId, reason, supportEngineerId } = context.grant.subjectTokenContext ?? {};

  // The claims' names are settings, since resource servers often expect their own.
  const {
    TICKET_CLAIM = "ticket_id",
    REASON_CLAIM = "reason",
    ENGINEER_CLAIM = "support_engineer_id",
  } = environmentVariables;

  // A member that is undefined does not become a claim.
  return {
    [TICKET_CLAIM]: ticketId,
    [REASON_CLAIM]: reason,
    [ENGINEER_CLAIM]: supportEngineerId,
  };
};
