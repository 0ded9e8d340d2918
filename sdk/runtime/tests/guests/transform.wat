;; A webhook transform by hand: it sends the event as it came, with the delivery's id in a header. Tests replace the line
;; marked `body` to make it misbehave.
(component
  (import "claimsmith:plugin/types@1.0.0" (instance $types
    (type $failure-shape (variant (case "denied" string) (case "failed" string)))
    (export "failure" (type $failure (eq $failure-shape)))))
  (alias export $types "failure" (type $failure))
  (import "claimsmith:plugin/webhooks@1.0.0" (instance $webhooks
    (type $pair (tuple string string))
    (type $pairs (list $pair))
    (type $optional (option string))
    (type $delivery-shape (record
      (field "id" string)
      (field "event" string)
      (field "hook" string)
      (field "environment-variables" $pairs)))
    (export "delivery" (type $delivery (eq $delivery-shape)))
    (type $changed-shape (record (field "body" $optional) (field "headers" $pairs) (field "path" $optional)))
    (export "changed" (type $changed (eq $changed-shape)))
    (type $outcome-shape (variant (case "send" $changed) (case "drop" string)))
    (export "outcome" (type $outcome (eq $outcome-shape)))))
  (alias export $webhooks "delivery" (type $delivery))
  (alias export $webhooks "outcome" (type $outcome))
  (type $answer (result $outcome (error $failure)))

  (core module $code-module
    (memory (export "memory") 32)
    (global $next (mut i32) (i32.const 8192))
    ;; Hands out memory and never takes it back: an instance lives for one call.
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
      (global.set $next (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    ;; At 64: ok, send, a body, one header, no path. At 128: ok, drop, the text at 1024. At 192: denied, that text.
    (func (export "transform")
      (param $id i32) (param $id-length i32) (param $event i32) (param $event-length i32)
      (param $hook i32) (param $hook-length i32) (param $variables i32) (param $variables-length i32)
      (result i32)
      (i32.store8 (i32.const 72) (i32.const 1))
      (i32.store (i32.const 76) (local.get $event))
      (i32.store (i32.const 80) (local.get $event-length))
      (i32.store (i32.const 84) (i32.const 512))
      (i32.store (i32.const 88) (i32.const 1))
      (i32.store (i32.const 520) (local.get $id))
      (i32.store (i32.const 524) (local.get $id-length))
      (i32.const 64) ;; body
    )
    (data (i32.const 128) "\00\00\00\00\01\00\00\00\00\04\00\00\09\00\00\00")
    (data (i32.const 192) "\01\00\00\00\00\00\00\00\00\04\00\00\09\00\00\00")
    (data (i32.const 512) "\09\04\00\00\04\00\00\00")
    (data (i32.const 1024) "no ticketx-id"))
  (core instance $code (instantiate $code-module))
  (alias core export $code "memory" (core memory $mem))
  (func $transform (param "delivery" $delivery) (result $answer)
    (canon lift (core func $code "transform") (memory $mem) (realloc (core func $code "realloc"))))
  (export "transform" (func $transform)))
