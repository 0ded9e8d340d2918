// A mail relay of another make (aiosmtpd), which a server sends its e-mails by.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Arrivals } from "./arrivals.mjs";
import { makeCertificate } from "./certificate.mjs";
import { freePort } from "./server.mjs";

const { BROWSER_PYTHON } = process.env;

export class MailRelay {
  #process;
  #mails = new Arrivals();
  #said = "";
  user = "shop";
  password = "relay-secret-4711";

  static async start() {
    const relay = new MailRelay();
    const { keyFile, file, certificate } = makeCertificate();
    relay.port = await freePort();
    relay.certificate = certificate;
    const script = new URL("relay.py", import.meta.url).pathname;
    const given = [script, String(relay.port), keyFile, file, relay.user, relay.password];
    // It ends when nobody is there any more to write to it.
    relay.#process = spawn(BROWSER_PYTHON, given, { stdio: ["pipe", "pipe", "pipe"] });
    relay.#process.stderr.on("data", (text) => (relay.#said += text));
    const lines = createInterface({ input: relay.#process.stdout });
    await new Promise((resolve, reject) => {
      relay.#process.once("error", reject);
      relay.#process.once("exit", (status) => reject(new Error(`the relay ended with ${status}: ${relay.#said}`)));
      lines.once("line", resolve);
    });
    lines.on("line", (line) => relay.#mails.add(JSON.parse(line)));
    return relay;
  }

  /** The configuration of a connector that sends by it. */
  get config() {
    return {
      host: "localhost",
      port: this.port,
      auth: { user: this.user, pass: this.password },
      fromEmail: "Shop <no-reply@example.com>",
      tls: { ca: this.certificate },
    };
  }

  /** How many e-mails it took. */
  get count() {
    return this.#mails.all.length;
  }

  /** The first e-mail to somebody; waits for it. */
  wait(recipient) {
    return this.#mails.wait(({ to }) => to.includes(recipient), () => `nothing came for ${recipient}: ${this.#said}`);
  }

  async stop() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.stdin.end();
    await ended;
  }
}
