// A proxy that takes https connections, with a certificate of its own, and passes them on to a server.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request as ask } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";

const folder = process.env.BROWSER_SCRATCH;
const [key, certificate] = ["proxy.key", "proxy.pem"].map((name) => join(folder, name));

/** Listens on this port of localhost. */
export const encrypt = async (port, origin) => {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...files], { stdio: "pipe" });
  const options = { key: readFileSync(key), cert: readFileSync(certificate) };
  const proxy = createServer(options, (incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const passed = ask(`${origin}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  return proxy;
};
