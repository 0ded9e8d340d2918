import org.teavm.jso.JSBody;
import org.teavm.jso.JSObject;

/** What is asked and answered: objects of JavaScript, and their members. It is yours to read and to change. */
public final class Claimsmith {
  /** A member that is an object; null where it or the object is absent. */
  @JSBody(params = {"object", "name"}, script = "return object == null || object[name] == null ? null : object[name];")
  public static native JSObject member(JSObject object, String name);

  /** A member that is a text; null where it or the object is absent. */
  @JSBody(params = {"object", "name"}, script = "return object == null || object[name] == null ? null : object[name];")
  public static native String text(JSObject object, String name);

  /** An object without members. */
  @JSBody(script = "return {};")
  public static native JSObject object();

  /** Sets a member. */
  @JSBody(params = {"object", "name", "value"}, script = "object[name] = value;")
  public static native void set(JSObject object, String name, String value);

  /** There is no token; the application is told why. Does not return. */
  @JSBody(params = {"request", "why"}, script = "request.api.denyAccess(why);")
  public static native void deny(JSObject request, String why);

  private Claimsmith() {}
}
