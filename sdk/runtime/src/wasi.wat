;; WASI preview 1 for plugins that a compiler left as core modules: a clock, random bytes, and an output that goes to the
;; plugin's log; no arguments, no environment, no files. It keeps nothing and takes no memory, since Go's runtime believes
;; that nobody but itself makes the memory grow. Where the host must write somewhere, that is the first 16 bytes of the
;; memory, which are put back.
(module
  (import "env" "memory" (memory 0))
  (import "claimsmith:plugin/log@1.2.0" "write" (func $log (param $level i32) (param $at i32) (param $size i32)))
  (import "claimsmith:plugin/random@1.2.0" "bytes" (func $bytes (param $size i32) (param $list i32)))
  (import "wasi:clocks/wall-clock@0.2.0" "now" (func $now (param $datetime i32)))

  ;; The host asks for room for random bytes: they go where `random_get` said.
  (func (export "cabi_import_realloc") (param i32 i32 i32 i32) (result i32) (i32.load (i32.const 8)))

  (func (export "random_get") (param $at i32) (param $size i32) (result i32)
    (local $first i64) (local $second i64) (local $part i32)
    (local.set $first (i64.load (i32.const 0)))
    (local.set $second (i64.load (i32.const 8)))
    (block $done
      (loop $more
        (br_if $done (i32.eqz (local.get $size)))
        ;; At most 4096 bytes a call.
        (local.set $part
          (select (i32.const 4096) (local.get $size) (i32.gt_u (local.get $size) (i32.const 4096))))
        (i32.store (i32.const 8) (local.get $at))
        (call $bytes (local.get $part) (i32.const 0))
        (local.set $at (i32.add (local.get $at) (local.get $part)))
        (local.set $size (i32.sub (local.get $size) (local.get $part)))
        (br $more)))
    (i64.store (i32.const 0) (local.get $first))
    (i64.store (i32.const 8) (local.get $second))
    (i32.const 0))

  ;; One clock for all ids; nanoseconds.
  (func (export "clock_time_get") (param $id i32) (param $precision i64) (param $time i32) (result i32)
    (local $first i64) (local $second i64) (local $now i64)
    (local.set $first (i64.load (i32.const 0)))
    (local.set $second (i64.load (i32.const 8)))
    (call $now (i32.const 0))
    (local.set $now
      (i64.add (i64.mul (i64.load (i32.const 0)) (i64.const 1000000000)) (i64.load32_u (i32.const 8))))
    (i64.store (i32.const 0) (local.get $first))
    (i64.store (i32.const 8) (local.get $second))
    (i64.store (local.get $time) (local.get $now))
    (i32.const 0))

  (func (export "clock_res_get") (param $id i32) (param $resolution i32) (result i32)
    (i64.store (local.get $resolution) (i64.const 1000))
    (i32.const 0))

  ;; How many bytes the character takes that begins at `at`; 0 where none does (RFC 3629).
  (func $character (param $at i32) (param $end i32) (result i32)
    (local $code i32) (local $size i32) (local $more i32) (local $byte i32)
    (local.set $code (i32.load8_u (local.get $at)))
    (if (i32.lt_u (local.get $code) (i32.const 0x80)) (then (return (i32.const 1))))
    (if (i32.eq (i32.and (local.get $code) (i32.const 0xe0)) (i32.const 0xc0))
      (then (local.set $size (i32.const 2)) (local.set $code (i32.and (local.get $code) (i32.const 0x1f)))))
    (if (i32.eq (i32.and (local.get $code) (i32.const 0xf0)) (i32.const 0xe0))
      (then (local.set $size (i32.const 3)) (local.set $code (i32.and (local.get $code) (i32.const 0x0f)))))
    (if (i32.eq (i32.and (local.get $code) (i32.const 0xf8)) (i32.const 0xf0))
      (then (local.set $size (i32.const 4)) (local.set $code (i32.and (local.get $code) (i32.const 0x07)))))
    (if (i32.eqz (local.get $size)) (then (return (i32.const 0))))
    (if (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (local.get $size)) (then (return (i32.const 0))))
    (local.set $more (i32.const 1))
    (loop $next
      (local.set $byte (i32.load8_u (i32.add (local.get $at) (local.get $more))))
      (if (i32.ne (i32.and (local.get $byte) (i32.const 0xc0)) (i32.const 0x80)) (then (return (i32.const 0))))
      (local.set $code
        (i32.or (i32.shl (local.get $code) (i32.const 6)) (i32.and (local.get $byte) (i32.const 0x3f))))
      (local.set $more (i32.add (local.get $more) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $more) (local.get $size))))
    ;; Written longer than it need be, a surrogate, or beyond the last.
    (if (i32.or
          (i32.lt_u (local.get $code)
            (select (i32.const 0x80)
              (select (i32.const 0x800) (i32.const 0x10000) (i32.eq (local.get $size) (i32.const 3)))
              (i32.eq (local.get $size) (i32.const 2))))
          (i32.or
            (i32.eq (i32.and (local.get $code) (i32.const 0xfffff800)) (i32.const 0xd800))
            (i32.gt_u (local.get $code) (i32.const 0x10ffff))))
      (then (return (i32.const 0))))
    (local.get $size))

  ;; A log is text, an output any bytes: what is between two bytes that belong to no character is a line of its own.
  (func $tell (param $level i32) (param $at i32) (param $end i32)
    (local $from i32) (local $size i32)
    (local.set $from (local.get $at))
    (loop $next
      (local.set $size (i32.const 0))
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then (local.set $size (call $character (local.get $at) (local.get $end)))))
      (if (local.get $size)
        (then (local.set $at (i32.add (local.get $at) (local.get $size))) (br $next)))
      (if (i32.lt_u (local.get $from) (local.get $at))
        (then (call $log (local.get $level) (local.get $from) (i32.sub (local.get $at) (local.get $from)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $from (local.get $at))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end)))))

  ;; Standard error is logged as an error, anything else as information.
  (func (export "fd_write") (param $fd i32) (param $parts i32) (param $count i32) (param $written i32) (result i32)
    (local $sum i32)
    (block $done
      (loop $more
        (br_if $done (i32.eqz (local.get $count)))
        (call $tell
          (select (i32.const 3) (i32.const 1) (i32.eq (local.get $fd) (i32.const 2)))
          (i32.load (local.get $parts))
          (i32.add (i32.load (local.get $parts)) (i32.load offset=4 (local.get $parts))))
        (local.set $sum (i32.add (local.get $sum) (i32.load offset=4 (local.get $parts))))
        (local.set $parts (i32.add (local.get $parts) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $more)))
    (i32.store (local.get $written) (local.get $sum))
    (i32.const 0))

  ;; Nobody waits: the first event is there at once, and a clock is asked again.
  (func (export "poll_oneoff") (param $asked i32) (param $events i32) (param $count i32) (param $happened i32) (result i32)
    (i64.store (local.get $events) (i64.load (local.get $asked)))
    (i64.store offset=8 (local.get $events) (i64.const 0))
    (i64.store offset=16 (local.get $events) (i64.const 0))
    (i64.store offset=24 (local.get $events) (i64.const 0))
    (i32.store (local.get $happened) (i32.const 1))
    (i32.const 0))

  ;; No arguments and no environment: both are counted as nothing.
  (func $none (export "args_sizes_get") (export "environ_sizes_get") (param $count i32) (param $size i32) (result i32)
    (i32.store (local.get $count) (i32.const 0))
    (i32.store (local.get $size) (i32.const 0))
    (i32.const 0))
  (func (export "args_get") (export "environ_get") (param i32 i32) (result i32) (i32.const 0))

  ;; Every descriptor is a character device (2) that can do nothing else.
  (func (export "fd_fdstat_get") (param $fd i32) (param $stat i32) (result i32)
    (i64.store (local.get $stat) (i64.const 2))
    (i64.store offset=8 (local.get $stat) (i64.const 0))
    (i64.store offset=16 (local.get $stat) (i64.const 0))
    (i32.const 0))
  (func (export "fd_fdstat_set_flags") (param i32 i32) (result i32) (i32.const 0))
  (func (export "fd_close") (param i32) (result i32) (i32.const 0))
  (func (export "sched_yield") (result i32) (i32.const 0))

  ;; There are no files: bad descriptor (8), cannot seek (70).
  (func (export "fd_prestat_get") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_prestat_dir_name") (param i32 i32 i32) (result i32) (i32.const 8))
  (func (export "fd_read") (param i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "fd_seek") (param i32 i64 i32 i32) (result i32) (i32.const 70))

  (func (export "proc_exit") (param i32) unreachable)
)
