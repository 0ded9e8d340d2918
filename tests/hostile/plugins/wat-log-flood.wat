;; expect: issued : writes the same line ten thousand times
(component
  (import "claimsmith:plugin/types@1.0.0" (instance $types
    (type $text string)
    (export "json" (type $json (eq $text)))
    (type $optional-json (option $json))
    (type $grant-shape (record (field "type" string) (field "subject-token-context" $optional-json)))
    (export "grant" (type $grant (eq $grant-shape)))
    (type $optional-grant (option $grant))
    (type $context-shape (record
      (field "grant" $optional-grant)
      (field "user" $optional-json)
      (field "application" $optional-json)
      (field "organization" $optional-json)
      (field "interaction" $optional-json)))
    (export "context" (type $context (eq $context-shape)))
    (type $variable (tuple string string))
    (type $variables (list $variable))
    (type $request-shape (record
      (field "token" $json)
      (field "context" $context)
      (field "environment-variables" $variables)))
    (export "claims-request" (type $claims-request (eq $request-shape)))
    (type $failure-shape (variant (case "denied" string) (case "failed" string)))
    (export "failure" (type $failure (eq $failure-shape)))))
  (alias export $types "json" (type $json))
  (alias export $types "claims-request" (type $claims-request))
  (alias export $types "failure" (type $failure))
  (type $answer (result $json (error $failure)))

  (import "claimsmith:plugin/log@1.0.0" (instance $log
    (type $level-shape (enum "debug" "info" "warn" "error"))
    (export "level" (type $level (eq $level-shape)))
    (export "write" (func (param "level" $level) (param "message" string)))))
  (import "claimsmith:plugin/random@1.0.0" (instance $random
    (export "bytes" (func (param "len" u32) (result (list u8))))))

  ;; The memory stands apart, because the imports need it before the code that calls them.
  (core module $memory-module
    (memory (export "memory") 2)
    (global $next (mut i32) (i32.const 8192))
    ;; Hands out memory and never takes it back: an instance lives for one call.
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
      (global.set $next (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    ;; Answers, at 64: ok with the text at 1024; at 80: denied with the text at 2048.
    (data (i32.const 64) "\00\00\00\00\00\04\00\00\10\00\00\00")
    (data (i32.const 80) "\01\00\00\00\00\00\00\00\00\08\00\00\09\00\00\00")
    (data (i32.const 1024) "{\"answer\": 42.5}")
    (data (i32.const 2048) "no ticket"))
  (core instance $memory (instantiate $memory-module))
  (alias core export $memory "memory" (core memory $mem))
  (core func $write (canon lower (func $log "write") (memory $mem)))
  (core func $bytes (canon lower (func $random "bytes") (memory $mem) (realloc (core func $memory "realloc"))))

  (core module $code-module
    (import "memory" "memory" (memory 2))
    (import "host" "write" (func $write (param i32 i32 i32)))
    (import "host" "bytes" (func $bytes (param i32 i32)))
    (func $deep (param i32) (result i32)
      (i32.add (call $deep (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))
    (func (export "get-custom-jwt-claims") (param i32) (result i32)
      (local $left i32) (local.set $left (i32.const 10000))
      (loop (call $write (i32.const 1) (i32.const 1024) (i32.const 16))
        (br_if 0 (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (i32.const 64)
    ))
  (core instance $code (instantiate $code-module
    (with "memory" (instance $memory))
    (with "host" (instance (export "write" (func $write)) (export "bytes" (func $bytes))))))
  (func $claims (param "request" $claims-request) (result $answer)
    (canon lift (core func $code "get-custom-jwt-claims") (memory $mem) (realloc (core func $memory "realloc"))))
  (export "get-custom-jwt-claims" (func $claims)))
