// ticket.rb in JavaScript, behind Ruby's core library without what a plugin has no use for: a plugin in JavaScript has at
// most 256 KiB.

const fs = require("node:fs");
const { Builder } = require("opal-compiler");

const LEFT_OUT =
  /^corelib\/(string\/encoding|math|complex|rational|set|struct|time|process|dir|file|random|unsupported|binding|irb)\b/;
const REQUIRED = ["opal/mini", "corelib/kernel/format"];

const [runtime, ...modules] = fs
  .readFileSync(require.resolve("opal-runtime/src/opal.js"), "utf8")
  .replace(/^Opal\.queue\([^]*/m, "")
  .split(/^(?=Opal\.modules\[)/m);
const kept = modules.filter((module) => !LEFT_OUT.test(module.split('"')[1]));
const loaded = REQUIRED.map((name) => `Opal.require(${JSON.stringify(name)});\n`);
const script = Builder.create().build("./ticket.rb").toString();

fs.mkdirSync("build", { recursive: true });
fs.writeFileSync("build/ruby.js", [runtime, ...kept, ...loaded, script].join(""));
