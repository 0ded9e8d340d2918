// Asks a plugin what a server asks it, on the server's own runtime; for node:test, vitest, and whatever else runs tests.
//
//     const plugin = await open(new URL("..", import.meta.url));
//     const answer = await plugin.ask({ context: { user: { id: "u1" } } });
//
// Behind it is `claimsmith plugin run PATH --lines`, with the `claimsmith` of the PATH or the one that CLAIMSMITH_BIN names.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * What a plugin is asked, as the `input` of a golden case.
 * @typedef {object} Input
 * @property {object} [token]
 * @property {object} [context]
 * @property {Record<string, string>} [environmentVariables] over those of the settings
 * @property {unknown} [event] of a webhook transform: the body as it would be sent
 * @property {{ id?: string, name?: string, url?: string }} [hook] of a webhook transform
 * @property {string} [id] of a webhook transform: the delivery's
 * @property {object} [message] of a message plugin: the message to a person
 */

/**
 * What another server answers, as in the `http` of a golden case.
 * @typedef {{ url: string, method?: string, status?: number, headers?: Record<string, string>, body?: unknown }} HttpAnswer
 */

/**
 * What the plugin finds in its cache, as in the `cache` of a golden case.
 * @typedef {{ owner: "user" | "application" | "everybody", key: string, value: unknown }} CacheEntry
 */

/**
 * @typedef {object} Answer
 * @property {string} outcome `ok`, `denied`, `failed`, `timed_out`, …
 * @property {Record<string, any> | null} claims
 * @property {string | null} denied what the application is told
 * @property {string | null} failed why there is no answer
 * @property {string | null} message either of these
 * @property {string[]} dropped reserved claims that it tried to set
 * @property {{ level: string, message: string }[]} logs
 * @property {number} instructions the same for the same question
 * @property {number} durationMs
 * @property {number} peakMemory in bytes
 * @property {string} [method] of a message plugin: the request's
 * @property {string} [url] of a message plugin: the request's
 * @property {string | null} [body] of a message plugin or a webhook transform; null where there is none, or where it stays as it is
 * @property {Record<string, string>} [headers] of a message plugin or a webhook transform
 * @property {string | null} [path] of a webhook transform
 * @property {string} [dropReason] of a webhook transform: why the delivery is not sent
 */

/** A plugin that is loaded. */
class Plugin {
  #process;
  #ended;
  /** @type {{ resolve: (line: string) => void, reject: (error: Error) => void }[]} */
  #waiting = [];
  /** @type {Error | undefined} */
  #end;
  #stderr = "";
  #line = "";

  /** @param {string} path */
  constructor(path) {
    const binary = process.env.CLAIMSMITH_BIN || "claimsmith";
    this.#process = spawn(binary, ["plugin", "run", path, "--lines"]);
    this.#process.stdout.setEncoding("utf8").on("data", (text) => this.#read(text));
    this.#process.stderr.setEncoding("utf8").on("data", (text) => (this.#stderr += text));
    // Nobody reads any more: whoever waits is told why when the process is over.
    this.#process.stdin.on("error", () => {});
    this.#ended = new Promise((resolve) => {
      this.#process.on("error", (error) => {
        this.#stop(`${binary} does not start (${error.message}): put it on the PATH, or name it in CLAIMSMITH_BIN`);
        resolve(undefined);
      });
      this.#process.on("close", (code, signal) => {
        this.#stop(`${path}: claimsmith ended (${signal ?? code})\n${this.#stderr}`.trimEnd());
        resolve(undefined);
      });
    });
  }

  /**
   * Loads a plugin, and builds it before where that is needed. A path is relative to where the tests were started.
   * @param {string | URL} path its folder or its file
   */
  static async open(path) {
    const text = String(path);
    const plugin = new Plugin(text.startsWith("file:") ? fileURLToPath(text) : text);
    // This is no question, and is refused as soon as the plugin is loaded.
    await plugin.#send("null");
    return plugin;
  }

  /**
   * Asks it. Questions may be asked at the same time; each is a call of its own.
   * @param {Input} [input]
   * @param {{ http?: HttpAnswer[], cache?: CacheEntry[] }} [given] what other servers answer, and what was kept
   * @returns {Promise<Answer>}
   */
  async ask(input = {}, { http = [], cache = [] } = {}) {
    const answer = JSON.parse(await this.#send(JSON.stringify({ input, http, cache })));
    if (answer.error !== undefined) throw new Error(answer.error);
    const { outcome, message } = answer;
    const failed = outcome !== "ok" && outcome !== "denied";
    return { ...answer, denied: outcome === "denied" ? message : null, failed: failed ? message : null };
  }

  /** Ends it, once it has answered what was asked. */
  async close() {
    this.#hold(true);
    this.#process.stdin.end();
    await this.#ended;
  }

  [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    return this.close();
  }

  /**
   * @param {string} question
   * @returns {Promise<string>}
   */
  #send(question) {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      this.#waiting.push({ resolve, reject });
      this.#hold(true);
      this.#process.stdin.write(question + "\n");
    });
  }

  /** @param {string} text */
  #read(text) {
    // Not node:readline: to that, characters that a JSON text may hold end a line.
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#waiting.shift()?.resolve(line);
    this.#hold(this.#waiting.length > 0 || this.#process.stdin.writableEnded);
  }

  /** @param {string} why */
  #stop(why) {
    this.#end ??= new Error(why);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end);
  }

  /**
   * Tests that forget to close the plugin end all the same: it keeps them alive only while somebody waits.
   * @param {boolean} isAwaited
   */
  #hold(isAwaited) {
    const { stdin, stdout, stderr } = this.#process;
    const sockets = /** @type {import("node:net").Socket[]} */ (/** @type {unknown[]} */ ([stdin, stdout, stderr]));
    for (const handle of [this.#process, ...sockets]) isAwaited ? handle.ref() : handle.unref();
  }
}

export const { open } = Plugin;
