;; expect: refused : exports nothing
(component)
