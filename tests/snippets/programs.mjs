// A program of the quickstart code: its files in a folder of its own, installed and started with the commands that the
// console shows, and ended with everything that it started.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

/** How long dependencies may take to install and compile. */
const INSTALL_MS = 900_000;
/** How long a program may take to answer its first request; some compile first, and wait for another to be compiled. */
const START_MS = 1_200_000;

const { BROWSER_PROGRAMS } = process.env;
const started = new Set();

/** Whether nothing listens at a port of this machine. */
const isFree = (port) =>
  new Promise((resolve) => {
    const socket = createServer().once("error", () => resolve(false));
    socket.listen(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });

const taken = new Set();

/**
 * A port for a program that will listen there, maybe minutes later. It is below the ports that Linux gives to whoever
 * asks for any, so nobody else gets it meanwhile.
 */
export const programPort = async () => {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (taken.has(port) || !(await isFree(port))) continue;
    taken.add(port);
    return port;
  }
};

/** The environment of programs: nothing of the server and of the runner. */
const environment = () => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BROWSER|CLAIMSMITH|TEST)_/.test(name));
  // Without what frameworks tell their makers, and what they ask people.
  const quiet = { NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" };
  // The same packages, sooner: no requests for what a cache has and for advice, no compilation of modules that are not
  // loaded.
  const npm = { npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
  const pip = { PIP_DISABLE_PIP_VERSION_CHECK: "1", PIP_NO_COMPILE: "1" };
  return { ...Object.fromEntries(kept), ...quiet, ...npm, ...pip, CI: "true" };
};

/** Starts a shell in a process group of its own, and collects what it prints. */
const shell = (command, cwd) => {
  const options = { cwd, env: environment(), detached: true, stdio: ["ignore", "pipe", "pipe"] };
  const child = spawn("bash", ["-ec", command], options);
  const process = { child, printed: "" };
  started.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (process.printed += text));
  process.ended = new Promise((resolve) => child.once("exit", resolve)).finally(() => started.delete(child));
  return process;
};

const end = (child) => {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
};

/** Ends all programs. */
export const endAll = () => [...started].forEach(end);

/** Waits for a promise, for so long at most. */
const within = (milliseconds, promise, what) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what()} after ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

export class Program {
  #process;

  /** Writes the files; `shown` is what the console shows: `{ files: { path: text }, install, run }`. */
  constructor(name, shown) {
    this.name = name;
    this.shown = shown;
    this.folder = mkdtempSync(join(BROWSER_PROGRAMS, `${name}-`));
    for (const [path, text] of Object.entries(shown.files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  /** Runs a command to its end; answers what it printed. */
  async #run(command) {
    const process = shell(command, this.folder);
    try {
      const status = await within(INSTALL_MS, process.ended, () => `${command} has not ended: ${process.printed}`);
      if (status !== 0) throw new Error(`${command} ended with ${status}: ${process.printed}`);
      return process.printed;
    } finally {
      end(process.child);
    }
  }

  async install() {
    if (this.shown.install) await this.#run(this.shown.install);
  }

  /** Runs the program to its end; answers what it printed. */
  runToEnd() {
    return this.#run(this.shown.run);
  }

  /** Starts the program without waiting; `printed` grows. */
  begin() {
    this.#process = shell(this.shown.run, this.folder);
    return this.#process;
  }

  /** Starts the program, and waits until it answers at the URL. */
  async start(url) {
    this.begin();
    const deadline = Date.now() + START_MS;
    for (;;) {
      const request = fetch(url, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
      const answer = await request.catch(() => undefined);
      if (answer && answer.status !== 404) return;
      if (this.#process.child.exitCode !== null) throw new Error(`${this.name} has ended: ${this.printed}`);
      if (Date.now() > deadline) throw new Error(`${this.name} does not answer at ${url}: ${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** What the started program has printed. */
  get printed() {
    return this.#process?.printed ?? "";
  }

  async stop() {
    if (!this.#process) return;
    end(this.#process.child);
    await this.#process.ended;
  }
}
