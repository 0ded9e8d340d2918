// Compiles src for Scala.js, and links it and its libraries to one module of JavaScript.

import java.io.File
import java.nio.file.{Files, Paths}
import scala.concurrent.{Await, ExecutionContext}
import scala.concurrent.duration.Duration

import org.scalajs.linker.{PathIRContainer, PathOutputDirectory, StandardImpl}
import org.scalajs.linker.`interface`.{ModuleKind, Semantics, StandardConfig}
import org.scalajs.logging.{Level, ScalaConsoleLogger}

@main def build(): Unit =
  val classes = Files.createDirectories(Paths.get("target/classes"))
  val libraries = sys.props("java.class.path").split(File.pathSeparator).toSeq

  // A program of its own, since the compiler writes intermediate files with the functions that are inside it.
  val compiler = libraries.filterNot(_.contains("scalajs-ir_"))
  val options = Seq("-scalajs", "-usejavacp", "-d", classes.toString) ++ File("src").listFiles.map(_.getPath)
  val command = Seq("java", "-classpath", compiler.mkString(File.pathSeparator), "dotty.tools.dotc.Main") ++ options
  if ProcessBuilder(command*).inheritIO().start().waitFor() != 0 then sys.exit(1)

  val config = StandardConfig().withModuleKind(ModuleKind.ESModule).withSemantics(Semantics.Defaults.optimized)
    .withSourceMap(false)
  given ExecutionContext = ExecutionContext.parasitic // What goes wrong ends the program.
  val linked = for
    (containers, _) <- PathIRContainer.fromClasspath(classes +: libraries.map(Paths.get(_)))
    files <- StandardImpl.irFileCache().newCache.cached(containers)
    output = PathOutputDirectory(Files.createDirectories(Paths.get("target/linked")))
    _ <- StandardImpl.linker(config).link(files, Nil, output, ScalaConsoleLogger(Level.Warn))
  yield ()
  Await.result(linked, Duration.Inf)
