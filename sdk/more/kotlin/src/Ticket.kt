import org.teavm.jso.JSExport
import org.teavm.jso.JSObject

/** What this function answers becomes claims of the token. */
@JSExport
fun getCustomJwtClaims(request: JSObject): JSObject {
    val claims = emptyObject()

    // What a backend said about an impersonation; of other tokens there is nothing to say.
    val grant = member(request, "context")?.let { member(it, "grant") }
    val said = grant?.let { member(it, "subjectTokenContext") } ?: return claims
    val ticket = text(said, "ticketId") ?: deny(request, "Name the ticket.")

    println("acting for ticket $ticket")
    val prefix = member(request, "environmentVariables")?.let { text(it, "PREFIX") } ?: ""
    set(claims, "${prefix}ticket_id", ticket)
    return claims
}
