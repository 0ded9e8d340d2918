;; expect: refused : a core module without its WIT
(module (memory 1) (func (export "get-custom-jwt-claims") (param i32) (result i32) (i32.const 0)))
