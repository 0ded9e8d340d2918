/// What is asked, of which this plugin reads a part. It is yours to read and to change.
module Claimsmith

open Fable.Core
open Fable.Core.JsInterop

type Grant =
    abstract subjectTokenContext: obj option

type Context =
    abstract grant: Grant option

type Api =
    /// There is no token; the application is told why. Does not return.
    abstract denyAccess: why: string -> 'never

type Request =
    abstract context: Context
    abstract environmentVariables: obj
    abstract api: Api

/// A member of an object, if it is there.
let get<'value> (name: string) (from: obj) : 'value option = from?(name)
