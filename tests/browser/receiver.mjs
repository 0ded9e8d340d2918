// A receiver of webhooks: it verifies the signature of what comes (Standard Webhooks), keeps it, and waits for an
// event.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { Arrivals } from "./arrivals.mjs";
import { NEW_PASSWORD, PASSWORD } from "./people.mjs";

/** Whether an event is about this user. */
export const about = (id) => (body) => (body.userId ?? body.data?.id) === id;

export class Receiver {
  #server;
  #ids = new Set();
  #arrivals = new Arrivals();
  #key;

  /** Starts one, and has the server send it these events. */
  static async start(server, events) {
    const receiver = new Receiver();
    receiver.#server = createServer((request, response) => receiver.#receive(request, response));
    await new Promise((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${receiver.#server.address().port}/`;
    const { signingKey } = await server.call("POST", "/hooks", { name: "Stories", events, config: { url } });
    receiver.#key = signingKey;
    return receiver;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #receive(request, response) {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures } = request.headers;
    const expected = `v1,${createHmac("sha256", this.#key).update(`${id}.${at}.${body}`).digest("base64")}`;
    if (!signatures.split(" ").includes(expected)) return response.writeHead(401).end();
    response.writeHead(204).end();
    // At least once is the promise.
    if (this.#ids.has(id)) return undefined;
    this.#ids.add(id);
    return this.#arrivals.add(JSON.parse(body));
  }

  /** What came of an event so far. */
  of(event) {
    return this.#arrivals.all.filter((body) => body.event === event);
  }

  /** The first of an event that is about this, or the one of this number; waits for it. */
  wait(event, isAbout = () => true, number = 1) {
    const missed = () => `no ${event} ${number} came; there are ${this.#arrivals.all.map((body) => body.event)}`;
    return this.#arrivals.wait((body) => body.event === event && isAbout(body), missed, number);
  }

  /** Nothing that came has a password, a digest of one, or any of these secrets. */
  isDiscreet(...secrets) {
    const all = JSON.stringify(this.#arrivals.all);
    for (const secret of ["argon2", PASSWORD, NEW_PASSWORD, ...secrets]) {
      assert.ok(!all.includes(secret), "a secret was told to a receiver");
    }
  }
}
