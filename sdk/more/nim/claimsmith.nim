## The contract: what is asked and answered, laid out as the canonical ABI says, which is how C lays out its structures.
## It is yours to read and to change.

import std/json

type
  Text = object ## A string or a list of bytes.
    at: ptr UncheckedArray[char]
    size: uint32

  Optional = object
    some: bool
    text: Text

  Variable = object
    name, value: Text

  Asked = object
    token: Text
    hasGrant: bool
    grantType: Text
    subjectTokenContext: Optional
    user, application, organization, interaction: Optional
    variables: ptr UncheckedArray[Variable]
    count: uint32

  Answered = object
    refused: bool
    first, second, third: uint32 ## Claims: at, size. A failure: its kind, at, size.

  Request* = object
    ## What the plugin is asked. What does not apply is nil.
    asked: ptr Asked

  Denied* = object of CatchableError
    ## There is no token; the application is told why. Every other error goes to the plugin's log.

func `$`(text: Text): string =
  result = newString(text.size)
  if text.size > 0: copyMem(addr result[0], text.at, text.size)

proc parsed(optional: Optional): JsonNode =
  if optional.some: parseJson($optional.text) else: nil

proc token*(request: Request): JsonNode = parseJson($request.asked.token)
proc user*(request: Request): JsonNode = parsed(request.asked.user)
proc application*(request: Request): JsonNode = parsed(request.asked.application)
proc organization*(request: Request): JsonNode = parsed(request.asked.organization)
proc subjectTokenContext*(request: Request): JsonNode =
  if request.asked.hasGrant: parsed(request.asked.subjectTokenContext) else: nil

proc variable*(request: Request, name: string): string =
  ## One of the plugin's variables and secrets; empty where it is not set.
  for at in 0 ..< request.asked.count:
    let each = request.asked.variables[at]
    if $each.name == name: return $each.value

proc deny*(reason: string) {.noreturn.} = raise newException(Denied, reason)

proc log*(line: string) =
  ## Writes to the plugin's log, as information.
  proc write(level: uint32, at: cstring, size: uint32) {.importc: "claimsmith_log", codegenDecl: """
__attribute__((import_module("claimsmith:plugin/log@1.0.0"), import_name("write"))) $# $#$#""".}
  write(1, line.cstring, line.len.uint32)

var answer: proc (request: Request): JsonNode
var text: string # What is answered, kept until the host has read it.
var answered: Answered

proc plugin*(function: proc (request: Request): JsonNode) =
  ## What this function answers becomes claims of the token.
  answer = function

proc address(text: string): uint32 = cast[uint32](text.cstring)

proc refuse(kind: uint32, reason: string) =
  text = reason
  answered = Answered(refused: true, first: kind, second: address(text), third: text.len.uint32)

proc NimMain() {.importc.}

proc getCustomJwtClaims(asked: ptr Asked): ptr Answered {.exportc, codegenDecl:
    """__attribute__((export_name("get-custom-jwt-claims"))) $# $#$#""".} =
  NimMain()
  try:
    text = $answer(Request(asked: asked))
    answered = Answered(first: address(text), second: text.len.uint32)
  except Denied as denied: refuse(0, denied.msg)
  except CatchableError as error: refuse(1, error.msg)
  addr answered

proc realloc(old: pointer, oldSize, align, size: uint32): pointer {.exportc: "claimsmith_realloc", codegenDecl:
    """__attribute__((export_name("cabi_realloc"))) $# $#$#""".} =
  ## Memory for the host to write to.
  realloc(old, max(size, 1))
