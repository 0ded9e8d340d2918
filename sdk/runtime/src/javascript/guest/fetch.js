// `fetch`, as far as the host sends what the plugin was granted. Redirects are not followed, and one request is
// answered before the next is sent.
import http from "claimsmith:plugin/http@1.2.0";
import { call } from "/claimsmith/call.js";
import { Headers } from "/claimsmith/headers.js";

// Body as bytes, and the media type that it has unless the caller says otherwise.
function encoded(body) {
  if (body == null) return [undefined, null];
  if (body instanceof ArrayBuffer) return [new Uint8Array(body), null];
  if (ArrayBuffer.isView(body)) return [new Uint8Array(body.buffer, body.byteOffset, body.byteLength), null];
  const type = body instanceof URLSearchParams ? "application/x-www-form-urlencoded;charset=UTF-8" : "text/plain;charset=UTF-8";
  return [new TextEncoder().encode(String(body)), type];
}

class Response {
  #bytes;

  constructor({ status, headers, body }, url) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = new Headers(headers);
    this.url = url;
    this.redirected = false;
    this.bodyUsed = false;
    this.#bytes = Uint8Array.from(body);
  }

  #take() {
    if (this.bodyUsed) throw new TypeError("the body was read already");
    this.bodyUsed = true;
    return this.#bytes;
  }

  async bytes() {
    return this.#take();
  }

  async arrayBuffer() {
    return this.#take().buffer;
  }

  async text() {
    return new TextDecoder().decode(this.#take());
  }

  async json() {
    return JSON.parse(await this.text());
  }
}

globalThis.Response = Response;

globalThis.fetch = async (resource, { method = "GET", headers, body } = {}) => {
  if (!call.running) throw new TypeError("fetch failed: top-level code cannot fetch, its results would repeat in every call");
  const url = String(resource?.url ?? resource);
  const verb = String(method).toUpperCase();
  const [bytes, type] = encoded(body);
  if (bytes !== undefined && (verb === "GET" || verb === "HEAD")) throw new TypeError(`fetch failed: ${verb} has no body`);
  const sent = new Headers(headers);
  if (type !== null && !sent.has("content-type")) sent.set("content-type", type);
  try {
    return new Response(http.send({ method: verb, url, headers: [...sent], body: bytes }), url);
  } catch (thrown) {
    // The host's own words come as the payload of what is thrown.
    throw new TypeError(`fetch failed: ${thrown?.payload ?? thrown?.message ?? thrown}`);
  }
};
