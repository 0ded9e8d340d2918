// What a plugin in JavaScript or TypeScript exports and finds around it. An editor reads this file; the server does not.

import type { Changed, ClaimsRequest, Delivery, Dropped, MessageRequest, OutgoingMessage } from "./shapes";

export * from "./shapes";

/** What a claims plugin answers: each member becomes a claim, except for reserved names. What is undefined is left out. */
export type Claims = Record<string, unknown>;

/**
 * Whose an entry of the cache is: the user whom the token is about, the application that asks for it, or all calls of the
 * plugin. The server adds the id, so that no call reaches an entry of another user or application.
 */
export type CacheOwner = "user" | "application" | "everybody";

/**
 * Values that later calls find, once `[capabilities.cache]` of the settings declares it. An entry may be gone at any time.
 * What is not granted, too large, or of an owner that the call does not have, is thrown.
 */
export interface Cache {
  /** What was stored under this key; undefined where there is no such entry. */
  get<T = any>(owner: CacheOwner, key: string): T | undefined;
  /** Stores a value, as JSON, for this many seconds, from 1 to 3600, in the place of what was there. */
  set(owner: CacheOwner, key: string, value: unknown, seconds: number): void;
}

/** What a claims plugin can do beside answering. */
export interface Api {
  /** What is kept for later calls. */
  readonly cache: Cache;
  /** Refuses the token; the application is told this text. Does not return. */
  denyAccess(message?: string): never;
}

/** A claims plugin exports one as `getCustomJwtClaims`. What it throws refuses the token, unless its settings say otherwise. */
export type GetCustomJwtClaims = (request: ClaimsRequest & { api: Api }) => Claims | Promise<Claims>;

/** What a transform makes of a delivery; nothing leaves it as it is. */
export type Outcome = undefined | Changed | Dropped;

/** A webhook transform exports one as `transformWebhook`. */
export type TransformWebhook = (delivery: Delivery) => Outcome | Promise<Outcome>;

/** What a message plugin can do beside answering. */
export interface MessageApi {
  /** The message is not sent, now or later, for this reason. Does not return. */
  denyMessage(message?: string): never;
}

/** A message plugin exports one as `composeMessage`. After an error it is asked again, as long as the code or link works. */
export type ComposeMessage = (message: OutgoingMessage & { api: MessageApi }) => MessageRequest | Promise<MessageRequest>;

declare global {
  /** Headers of a request or an answer. Names are compared without regard to case. */
  class Headers {
    constructor(init?: Iterable<[string, string]> | Record<string, string>);
    append(name: string, value: string): void;
    delete(name: string): void;
    entries(): IterableIterator<[string, string]>;
    get(name: string): string | null;
    has(name: string): boolean;
    set(name: string, value: string): void;
  }

  /** An answer of another server. */
  interface Response {
    readonly headers: Headers;
    readonly ok: boolean;
    readonly status: number;
    arrayBuffer(): Promise<ArrayBuffer>;
    json(): Promise<any>;
    text(): Promise<string>;
  }

  /** A form, as the body of a request. */
  class URLSearchParams {
    constructor(init?: string | Iterable<[string, string]> | Record<string, string>);
    append(name: string, value: string): void;
    get(name: string): string | null;
    set(name: string, value: string): void;
    toString(): string;
  }

  /** Base64 of a text of characters up to U+00FF. */
  function btoa(text: string): string;

  /** Asks a server that `[capabilities.http]` of the settings grants. */
  function fetch(
    url: string | { toString(): string },
    options?: { body?: string | Uint8Array; headers?: Headers | Record<string, string>; method?: string },
  ): Promise<Response>;

  /** Writes to the plugin's log. */
  const console: Record<"debug" | "error" | "info" | "log" | "trace" | "warn", (...values: unknown[]) => void>;
}
