// A proxy that takes https connections, with a certificate of its own, and passes them on to a server.

import { request as ask } from "node:http";
import { createServer } from "node:https";
import { makeCertificate } from "./certificate.mjs";

/** Listens on this port of localhost. */
export const encrypt = async (port, origin) => {
  const { key, certificate } = makeCertificate();
  const proxy = createServer({ key, cert: certificate }, (incoming, outgoing) => {
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
