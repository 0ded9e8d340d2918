## What this function answers becomes claims of the token.

import std/json
import claimsmith

plugin proc (request: Request): JsonNode =
  # What a backend said about an impersonation; of other tokens there is nothing to say.
  let said = request.subjectTokenContext
  if said == nil: return newJObject()
  if "ticketId" notin said: deny("Name the ticket.")

  log("acting for ticket " & $said["ticketId"])
  %*{request.variable("PREFIX") & "ticket_id": said["ticketId"]}
