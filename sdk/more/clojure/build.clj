;; One module of JavaScript, whose function is what the namespace exports. While it is loaded, the library draws a number
;; for the name of a property, which may be the same in every call.

(require '[cljs.build.api :as cljs])

(cljs/build "src" {:main 'ticket.core :optimizations :advanced
                   :output-dir "target/cljs" :output-to "target/compiled.js"})

(spit "target/ticket.js"
      (str "const { random } = Math;\nMath.random = () => 0.5;\n"
           "(function () {" (slurp "target/compiled.js") "}).call(globalThis);\n"
           "Math.random = random;\n"
           "export const getCustomJwtClaims = globalThis.ticket.core.get_custom_jwt_claims;\n"))
