// What is asked and answered: objects of JavaScript, and their members. It is yours to read and to change.

import org.teavm.jso.JSBody
import org.teavm.jso.JSObject

/** A member that is an object; null where it is absent. */
@JSBody(params = ["of", "name"], script = "return of[name] == null ? null : of[name];")
external fun member(of: JSObject, name: String): JSObject?

/** A member that is a text; null where it is absent. */
@JSBody(params = ["of", "name"], script = "return of[name] == null ? null : of[name];")
external fun text(of: JSObject, name: String): String?

/** An object without members. */
@JSBody(script = "return {};")
external fun emptyObject(): JSObject

/** Sets a member. */
@JSBody(params = ["of", "name", "value"], script = "of[name] = value;")
external fun set(of: JSObject, name: String, value: String)

@JSBody(params = ["request", "why"], script = "request.api.denyAccess(why);")
private external fun denyAccess(request: JSObject, why: String)

/** There is no token; the application is told why. */
fun deny(request: JSObject, why: String): Nothing {
    denyAccess(request, why)
    error("denied")
}
