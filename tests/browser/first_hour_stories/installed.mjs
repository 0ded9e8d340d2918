// A server that somebody has just unpacked: the archive in a folder of its own, started as its README says. Nothing is
// set but where it listens, its base URL, whether there is demo data, and that it may ask the stand-in for Google.

import { execFileSync, spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { join } from "node:path";
import { freePort, ready } from "../server.mjs";

const { BROWSER_SCRATCH, FIRST_HOUR_ARCHIVE, HOME, PATH } = process.env;
/** How long the first start may take: it compiles the default plugins. */
const START_MS = 300_000;

/** A reverse proxy for one path of a host, as docs/operating.md describes it: it takes the path off. */
const below = async (path, port, listens) => {
  const proxy = createServer((incoming, outgoing) => {
    const rest = incoming.url.startsWith(path) ? incoming.url.slice(path.length) : undefined;
    if (!/^[/?]|^$/.test(rest ?? "none")) return outgoing.writeHead(404).end();
    const { method, headers } = incoming;
    const passed = ask(`${listens}${rest.startsWith("/") ? "" : "/"}${rest}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    return incoming.pipe(passed);
  });
  await new Promise((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  return proxy;
};

export class Installed {
  #process;
  #proxy;

  /** Unpacks and starts it; with a `path`, it is behind a proxy, and its base URL ends with the path. */
  static async start({ demo, path }) {
    const server = new Installed();
    const unpacked = mkdtempSync(join(BROWSER_SCRATCH, "installed-"));
    execFileSync("tar", ["--extract", "--gzip", "--file", FIRST_HOUR_ARCHIVE, "--directory", unpacked]);
    const folder = join(unpacked, readdirSync(unpacked)[0]);
    server.log = join(unpacked, "log");
    const port = await freePort();
    server.listens = `http://127.0.0.1:${port}`;
    server.origin = server.listens;
    if (path) {
      const outer = await freePort();
      server.#proxy = await below(path, outer, server.listens);
      server.origin = `http://127.0.0.1:${outer}${path}`;
    }
    const environment = {
      HOME,
      PATH,
      CLAIMSMITH_BASE_URL: server.origin,
      CLAIMSMITH_LISTEN: `127.0.0.1:${port}`,
      CLAIMSMITH_METRICS_LISTEN: "127.0.0.1:0",
      CLAIMSMITH_EGRESS_ALLOWED_NETWORKS: "127.0.0.0/8",
    };
    const options = { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] };
    const started = spawn("./claimsmith", ["serve", demo ? "--demo" : "--no-demo"], options);
    server.#process = started;
    const log = createWriteStream(server.log);
    const shown = await new Promise((resolve, reject) => {
      let said = "";
      const late = setTimeout(() => reject(new Error(`the server does not start: ${said}`)), START_MS);
      started.once("exit", (status) => reject(new Error(`the server ended with ${status}: ${said}`)));
      for (const stream of [started.stdout, started.stderr]) {
        stream.on("data", (text) => {
          log.write(text);
          said += text;
          if (!said.includes("Claimsmith listens on")) return;
          clearTimeout(late);
          resolve(said);
        });
      }
    });
    await ready(server.listens);
    /** The link for the first administrator, which the terminal shows. */
    server.setup = shown.match(/\S+\/console\/setup\?code=\S+/)?.[0];
    server.report = JSON.parse(readFileSync(join(folder, "data/bootstrap.json"), "utf8"));
    return server;
  }

  /** Calls the Management API with the credentials of the first start. */
  async call(method, path, body) {
    const { clientId: id, clientSecret: secret, resource } = this.report.managementApi;
    const granted = await this.token({ id, secret }, resource, "all");
    const headers = { authorization: `Bearer ${granted.body.access_token}`, "content-type": "application/json" };
    const answer = await fetch(`${this.origin}/api${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  }

  /** Requests a token in the name of an application; answers the status and the body. */
  async token({ id, secret }, resource, scope = "orders:read") {
    const response = await fetch(`${this.origin}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "client_credentials", resource, scope }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** The last lines that it has logged. */
  lastLines() {
    return readFileSync(this.log, "utf8").split("\n").slice(-15).join("\n");
  }

  async stop() {
    this.#proxy?.closeAllConnections();
    this.#proxy?.close();
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill();
    await ended;
  }
}
