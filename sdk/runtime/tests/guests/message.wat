;; A message plugin by hand: it asks a provider to send something to the recipient, whose address is the body. Tests replace
;; the line marked `request` to make it misbehave.
(component
  (import "claimsmith:plugin/types@1.1.0" (instance $types
    (type $failure-shape (variant (case "denied" string) (case "failed" string)))
    (export "failure" (type $failure (eq $failure-shape)))))
  (alias export $types "failure" (type $failure))
  (import "claimsmith:plugin/messages@1.1.0" (instance $messages
    (type $pair (tuple string string))
    (type $pairs (list $pair))
    (type $optional (option string))
    (type $message-shape (record
      (field "id" string)
      (field "channel" string)
      (field "event" string)
      (field "recipient" string)
      (field "language" string)
      (field "code" $optional)
      (field "link" $optional)
      (field "content" string)
      (field "context" string)
      (field "environment-variables" $pairs)))
    (export "outgoing-message" (type $message (eq $message-shape)))
    (type $request-shape (record
      (field "method" string)
      (field "url" string)
      (field "headers" $pairs)
      (field "body" $optional)))
    (export "message-request" (type $request (eq $request-shape)))))
  (alias export $messages "outgoing-message" (type $message))
  (alias export $messages "message-request" (type $request))
  (type $answer (result $request (error $failure)))

  (core module $code-module
    (memory (export "memory") 32)
    (global $next (mut i32) (i32.const 8192))
    ;; Hands out memory and never takes it back: an instance lives for one call.
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
      (global.set $next (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    ;; At 64: ok, the method, the URL, no headers, a body. At 192: denied, the text at 1024.
    (func (export "compose") (param $message i32) (result i32)
      (i32.store (i32.const 96) (i32.load offset=24 (local.get $message)))
      (i32.store (i32.const 100) (i32.load offset=28 (local.get $message)))
      (i32.const 64) ;; request
    )
    (data (i32.const 64) "\00\00\00\00\00\04\00\00\04\00\00\00\04\04\00\00\18\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00")
    (data (i32.const 192) "\01\00\00\00\00\00\00\00\00\04\00\00\04\00\00\00")
    (data (i32.const 1024) "POSThttps://api.example.com/"))
  (core instance $code (instantiate $code-module))
  (alias core export $code "memory" (core memory $mem))
  (func $compose (param "message" $message) (result $answer)
    (canon lift (core func $code "compose") (memory $mem) (realloc (core func $code "realloc"))))
  (export "compose" (func $compose)))
