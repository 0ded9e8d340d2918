// What this function answers becomes claims of the token.

import { Answer, Request, answer, deny, log, member, quote } from "./claimsmith";

export function claims(request: Request): Answer {
  // What a backend said about an impersonation; of other tokens there is nothing to say.
  const said = request.subjectTokenContext;
  if (said === null) return answer("{}");

  const ticket = member(said, "ticketId");
  if (ticket === null) return deny("Name the ticket.");

  log("acting for ticket " + ticket);
  return answer("{" + quote(request.variable("PREFIX") + "ticket_id") + ":" + ticket + "}");
}
