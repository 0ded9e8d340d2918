// A Claimsmith of its own for some stories, on SQLite or on PostgreSQL, with demo data and the plugins of this
// repository; and its Management API.

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const { BROWSER_BINARY, BROWSER_PLUGINS, BROWSER_SCRATCH, PATH, TEST_DATABASE_URL } = process.env;

/** The databases that there are to test on. */
export const DATABASES = TEST_DATABASE_URL ? ["SQLite", "PostgreSQL"] : ["SQLite"];

/** A port of this machine that is free. */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const socket = createServer().once("error", reject);
    socket.listen(0, "127.0.0.1", () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });

const inPostgres = (statement) =>
  execFileSync("psql", [TEST_DATABASE_URL, "--quiet", "--no-psqlrc", "--command", statement], { stdio: "pipe" });

/** Runs a statement on the database of a server. */
const IN_SQLITE = `
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=10) as database:
    database.execute(sys.argv[2])
`;

/** A database of its own: what a server has to know of it, how to change it, and how to be rid of it. */
const makeDatabase = (kind, folder) => {
  if (kind === "SQLite") {
    const file = join(folder, "data", "claimsmith.db");
    return { environment: {}, run: (statement) => execFileSync("python3", ["-c", IN_SQLITE, file, statement]), drop() {} };
  }
  const name = `browser_${randomBytes(8).toString("hex")}`;
  inPostgres(`CREATE DATABASE ${name}`);
  const url = new URL(TEST_DATABASE_URL);
  url.pathname = `/${name}`;
  const key = randomBytes(32).toString("base64");
  return {
    environment: { CLAIMSMITH_DATABASE_URL: url.href, CLAIMSMITH_ENCRYPTION_KEY: key },
    run: (statement) =>
      execFileSync("psql", [url.href, "--quiet", "--no-psqlrc", "--command", statement], { stdio: "pipe" }),
    drop: () => inPostgres(`DROP DATABASE ${name} WITH (FORCE)`),
  };
};

/** Waits until the server that listens there is ready: its plugins may still be compiled. */
export const ready = async (listens) => {
  for (;;) {
    const { status } = await fetch(`${listens}/api/status`);
    if (status !== 503) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Starts the binary in a folder, and answers the process and what it said until it listened. */
const serve = async (folder, environment) => {
  const started = spawn(BROWSER_BINARY, { env: environment, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const log = createWriteStream(join(folder, "log"));
  const shown = await new Promise((resolve, reject) => {
    let said = "";
    started.once("exit", (status) => reject(new Error(`the server ended with ${status}: ${said}`)));
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (text) => {
        log.write(text);
        said += text;
        if (said.includes("Claimsmith listens on")) resolve(said);
      });
    }
  });
  return { started, shown };
};

export class Server {
  #process;
  #database;
  #environment;
  #token;

  /** Starts one; `origin` is the address that people know it by, where that is another one than `localhost`. */
  static async start(kind, { origin = (port) => `http://localhost:${port}` } = {}) {
    const server = new Server();
    const folder = mkdtempSync(join(BROWSER_SCRATCH, "server-"));
    const port = await freePort();
    server.kind = kind;
    server.listens = `http://127.0.0.1:${port}`;
    server.origin = origin(port);
    server.#database = makeDatabase(kind, folder);
    server.#environment = {
      PATH,
      CLAIMSMITH_DATA_DIR: join(folder, "data"),
      CLAIMSMITH_PLUGINS_DIR: BROWSER_PLUGINS,
      CLAIMSMITH_PLUGINS_CACHE_DIR: join(BROWSER_SCRATCH, "cache"),
      CLAIMSMITH_LISTEN: `127.0.0.1:${port}`,
      CLAIMSMITH_BASE_URL: server.origin,
      CLAIMSMITH_METRICS_LISTEN: "127.0.0.1:0",
      CLAIMSMITH_DEMO: "true",
      CLAIMSMITH_LOG_FILTER: "warn",
      CLAIMSMITH_PASSWORDS_DIGEST_MS: "0",
      CLAIMSMITH_WEBHOOKS_POLL_MS: "50",
      // Relays and other servers of the stories are on this machine.
      CLAIMSMITH_EGRESS_ALLOWED_NETWORKS: "127.0.0.0/8",
      ...server.#database.environment,
    };
    mkdirSync(join(BROWSER_SCRATCH, "cache"), { recursive: true });
    const { started, shown } = await serve(folder, server.#environment);
    server.#process = started;
    await ready(server.listens);
    /** The link of the mailbox, which the terminal shows. */
    [server.mailbox] = shown.match(/\S+\/demo\/mailbox\?code=\S+/);
    /** The link for the first administrator, which it shows as well. */
    [server.setup] = shown.match(/\S+\/console\/setup\?code=\S+/);
    server.report = JSON.parse(readFileSync(join(folder, "data/bootstrap.json"), "utf8"));
    return server;
  }

  /** All nodes: this one, and on PostgreSQL a second one, with folders of its own. An SQLite database has one node. */
  async nodes() {
    if (this.kind === "SQLite") return [this];
    const node = new Server();
    const folder = mkdtempSync(join(BROWSER_SCRATCH, "node-"));
    const port = await freePort();
    Object.assign(node, { kind: this.kind, origin: this.origin, report: this.report });
    node.listens = `http://127.0.0.1:${port}`;
    // Whoever made the database is rid of it.
    node.#database = { ...this.#database, drop() {} };
    const own = { CLAIMSMITH_DATA_DIR: join(folder, "data"), CLAIMSMITH_LISTEN: `127.0.0.1:${port}` };
    node.#environment = { ...this.#environment, ...own };
    ({ started: node.#process } = await serve(folder, node.#environment));
    await ready(node.listens);
    return [this, node];
  }

  get demo() {
    return this.report.demo;
  }

  async stop() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill();
    await ended;
    this.#database.drop();
  }

  /** Lets the sign-ins of all who are at the console become older, by minutes. */
  age(minutes) {
    this.#database.run(`UPDATE console_sessions SET authenticated_at = authenticated_at - ${minutes * 60_000}`);
  }

  /** Calls the Management API, and answers what it answers. */
  call(method, path, body) {
    return this.send(method, path, body && JSON.stringify(body), { "content-type": "application/json" });
  }

  /** Calls the Management API with a body of any kind, such as a form with files. */
  async send(method, path, body, headers = {}) {
    this.#token ??= await this.token();
    const authorization = `Bearer ${this.#token}`;
    const response = await fetch(`${this.listens}/api${path}`, { method, headers: { authorization, ...headers }, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  }

  /** Creates somebody; answers the id. */
  async user(properties) {
    const { id } = await this.call("POST", "/users", properties);
    return id;
  }

  /** Changes the settings of sign-in. */
  settings(change) {
    return this.call("PATCH", "/sign-in-exp", change);
  }

  /** A token for the Management API, issued now. */
  async token() {
    const { clientId, clientSecret, resource } = this.report.managementApi;
    const response = await fetch(`${this.listens}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "client_credentials", resource, scope: "all" }),
    });
    return (await response.json()).access_token;
  }
}
