/// What this function answers becomes claims of the token.
module ticket;

import claimsmith;

mixin plugin!answer;

Answer answer(ref const Request request) nothrow @nogc
{
    // What a backend said about an impersonation; of other tokens there is nothing to say.
    if (!request.grant.some || !request.grant.value.subjectTokenContext.some)
        return claims("{}");
    const ticket = request.grant.value.subjectTokenContext.value.slice.member("ticketId");
    if (ticket is null)
        return deny("Name the ticket.");

    log(join("acting for ticket ", ticket));
    const name = quote(join(request.variable("PREFIX"), "ticket_id"));
    return claims(join("{", name, ":", ticket, "}"));
}
