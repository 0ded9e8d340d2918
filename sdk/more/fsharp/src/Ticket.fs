/// What this function answers becomes claims of the token.
module Ticket

open Claimsmith
open Fable.Core.JsInterop

let getCustomJwtClaims (request: Request) : obj =
    // What a backend said about an impersonation; of other tokens there is nothing to say.
    match request.context.grant |> Option.bind (fun grant -> grant.subjectTokenContext) with
    | None -> createObj []
    | Some said ->
        let ticket: obj =
            match get "ticketId" said with
            | Some ticket -> ticket
            | None -> request.api.denyAccess "Name the ticket."
        printfn "acting for ticket %O" ticket
        let prefix = request.environmentVariables |> get "PREFIX" |> Option.defaultValue ""
        createObj [ prefix + "ticket_id", ticket ]
