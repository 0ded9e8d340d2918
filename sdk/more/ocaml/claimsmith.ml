(* What is asked and answered: objects of JavaScript, and their members. It is yours to read and to change. *)

open Js_of_ocaml

type value = Js.Unsafe.any

(* A member that is present. *)
let member name (value : value) : value option =
  Js.Optdef.to_option (Js.Unsafe.get value (Js.string name))

let text (value : value) = Js.to_string (Js.Unsafe.coerce value)

(* An object with these members. *)
let obj members : value = Js.Unsafe.obj (Array.of_list members)

(* One of the plugin's variables and secrets; empty where it is not set. *)
let variable request name =
  Option.fold ~none:"" ~some:text (Option.bind (member "environmentVariables" request) (member name))

(* There is no token; the application is told why. Does not return. *)
let deny (request : value) why =
  let api = Js.Unsafe.get request (Js.string "api") in
  ignore (Js.Unsafe.meth_call api "denyAccess" [| Js.Unsafe.inject (Js.string why) |]);
  assert false

(* Writes to the plugin's log, as information. *)
let log values : unit =
  Js.Unsafe.meth_call (Js.Unsafe.get Js.Unsafe.global (Js.string "console")) "info" (Array.of_list values)

let string text : value = Js.Unsafe.inject (Js.string text)

(* What this function answers becomes claims of the token. *)
let plugin (answer : value -> value) =
  Js.Unsafe.set Js.Unsafe.global (Js.string "getCustomJwtClaims") (Js.wrap_callback answer)
