// No ticket, no impersonation: refuses an exchange whose subject token was asked for without a ticket.
//
// Off until impersonation-guard.toml says REQUIRE_TICKET = "true". Its order makes it run before the others, so a refused
// exchange costs no more than this one call.
//
// `api.denyAccess(text)` ends the call. The application receives `access_denied` with the text, the subject token stays
// unused, and nothing is issued. A denial always refuses, whatever `on_error` says: that key is for failures.

const isText = (value) => typeof value === "string" && value.trim() !== "";

export const getCustomJwtClaims = ({ context, environmentVariables, api }) => {
  if (environmentVariables.REQUIRE_TICKET !== "true") return {};

  // `context.grant` is there for token exchanges alone.
  if (context.grant && !isText(context.grant.subjectTokenContext?.ticketId)) {
    api.denyAccess("An impersonation needs a ticket.");
  }
  return {};
};
