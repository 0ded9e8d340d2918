// A receiver of webhooks: it verifies the signature of what comes (Standard Webhooks), keeps it, and waits for an
// event.

import { createHmac } from "node:crypto";
import { createServer } from "node:http";

export class Receiver {
  #server;
  #received = [];
  #waiting = [];
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
    if (this.#received.some((delivery) => delivery.id === id)) return undefined;
    this.#received.push({ id, body: JSON.parse(body) });
    return this.#waiting.splice(0).forEach((look) => look());
  }

  /** What came of an event so far. */
  of(event) {
    return this.#received.map(({ body }) => body).filter((body) => body.event === event);
  }

  /** The first of an event that is about this; waits for it. */
  async wait(event, isAbout = () => true) {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const found = this.of(event).find(isAbout);
      if (found) return found;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`no ${event} came; there are ${this.#received.map(({ body }) => body.event)}`);
      let timer;
      await new Promise((resolve) => {
        this.#waiting.push(resolve);
        timer = setTimeout(resolve, left);
      });
      clearTimeout(timer);
    }
  }
}
