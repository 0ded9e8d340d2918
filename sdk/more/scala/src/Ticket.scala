import scala.scalajs.js
import scala.scalajs.js.annotation.JSExportTopLevel

/** What this function answers becomes claims of the token. */
@JSExportTopLevel("getCustomJwtClaims")
def getCustomJwtClaims(request: Request): js.Dictionary[js.Any] =
  // What a backend said about an impersonation; of other tokens there is nothing to say.
  request.context.grant.flatMap(_.subjectTokenContext).toOption match
    case None => js.Dictionary()
    case Some(said) =>
      val ticket = said.getOrElse("ticketId", request.api.denyAccess("Name the ticket."))
      println(s"acting for ticket $ticket")
      js.Dictionary(request.environmentVariables.getOrElse("PREFIX", "") + "ticket_id" -> ticket)
