import static java.util.Objects.requireNonNullElse;

import org.teavm.jso.JSExport;
import org.teavm.jso.JSObject;

/** What this function answers becomes claims of the token. */
public final class Ticket {
  @JSExport
  public static JSObject getCustomJwtClaims(JSObject request) {
    JSObject claims = Claimsmith.object();

    // What a backend said about an impersonation; of other tokens there is nothing to say.
    JSObject grant = Claimsmith.member(Claimsmith.member(request, "context"), "grant");
    JSObject said = Claimsmith.member(grant, "subjectTokenContext");
    if (said == null) return claims;

    String ticket = Claimsmith.text(said, "ticketId");
    if (ticket == null) Claimsmith.deny(request, "Name the ticket.");

    System.out.println("acting for ticket " + ticket);
    String prefix = Claimsmith.text(Claimsmith.member(request, "environmentVariables"), "PREFIX");
    Claimsmith.set(claims, requireNonNullElse(prefix, "") + "ticket_id", ticket);
    return claims;
  }

  private Ticket() {}
}
