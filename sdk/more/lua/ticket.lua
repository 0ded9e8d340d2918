-- What this function answers becomes claims of the token.

function getCustomJwtClaims(request)
  -- What a backend said about an impersonation; of other tokens there is nothing to say.
  local grant = request.context.grant
  local said = grant and grant.subjectTokenContext
  if not said then return {} end
  if not said.ticketId then request.api:denyAccess("Name the ticket.") end

  print("acting for ticket", said.ticketId)
  return { [(request.environmentVariables.PREFIX or "") .. "ticket_id"] = said.ticketId }
end
