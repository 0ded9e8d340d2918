(* What this function answers becomes claims of the token. *)

open Claimsmith

let answer request =
  let ( let* ) = Option.bind in
  (* What a backend said about an impersonation; of other tokens there is nothing to say. *)
  let said =
    let* context = member "context" request in
    let* grant = member "grant" context in
    member "subjectTokenContext" grant
  in
  match said with
  | None -> obj []
  | Some said ->
      let ticket =
        match member "ticketId" said with Some ticket -> ticket | None -> deny request "Name the ticket."
      in
      log [ string "acting for ticket"; ticket ];
      obj [ (variable request "PREFIX" ^ "ticket_id", ticket) ]

let () = plugin answer
