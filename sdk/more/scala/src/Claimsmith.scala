import scala.scalajs.js

/** What is asked, of which this plugin reads a part. It is yours to read and to change. */
trait Request extends js.Object:
  val context: Context
  val environmentVariables: js.Dictionary[String]
  val api: Api

trait Context extends js.Object:
  val grant: js.UndefOr[Grant]

trait Grant extends js.Object:
  val subjectTokenContext: js.UndefOr[js.Dictionary[js.Any]]

trait Api extends js.Object:
  /** There is no token; the application is told why. Does not return. */
  def denyAccess(why: String): Nothing
