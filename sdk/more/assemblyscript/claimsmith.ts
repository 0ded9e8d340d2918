// The contract: what is asked and answered, laid out in memory as the canonical ABI says, and members of JSON texts.
// It is yours to read and to change.

import { claims } from "./ticket";

// @ts-ignore: decorator
@external("claimsmith:plugin/log@1.0.0", "write")
declare function write(level: u32, at: usize, size: usize): void;

/** What the plugin is asked. Texts are JSON; what does not apply is null. */
export class Request {
  constructor(private at: usize) {}

  get token(): string { return text(this.at); }
  get grantType(): string | null { return load<u8>(this.at, 8) ? text(this.at + 12) : null; }
  get subjectTokenContext(): string | null { return load<u8>(this.at, 8) ? optional(this.at + 20) : null; }
  get user(): string | null { return optional(this.at + 32); }
  get application(): string | null { return optional(this.at + 44); }
  get organization(): string | null { return optional(this.at + 56); }

  /** One of the plugin's variables and secrets; empty where it is not set. */
  variable(name: string): string {
    let pair = load<usize>(this.at, 80);
    for (let left = load<usize>(this.at, 84); left > 0; left--, pair += 16)
      if (text(pair) == name) return text(pair + 8);
    return "";
  }
}

/** What it answers: claims, or a refusal. */
export class Answer {
  constructor(public text: string, public refusal: i32 = -1) {}
}

/** The members of this JSON object become claims. */
export function answer(claims: string): Answer { return new Answer(claims); }

/** There is no token; the application is told why. */
export function deny(reason: string): Answer { return new Answer(reason, 0); }

/** The plugin could not do its work; the text goes to its log. */
export function fail(reason: string): Answer { return new Answer(reason, 1); }

/** Writes to the plugin's log, as information. */
export function log(line: string): void { writeAt(1, line); }

/** The value of a member of a JSON object, as JSON text. Names are compared as they are written. */
export function member(object: string, name: string): string | null {
  let at = space(object, 0);
  if (at >= object.length || object.charAt(at) != "{") return null;
  at = space(object, at + 1);
  while (at < object.length && object.charAt(at) == '"') {
    const key = afterString(object, at);
    const value = space(object, space(object, key) + 1);
    const end = afterValue(object, value);
    if (object.substring(at + 1, key - 1) == name) return object.substring(value, end).trimEnd();
    at = space(object, end + 1);
  }
  return null;
}

/** A JSON string. */
export function quote(text: string): string {
  return '"' + text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n") + '"';
}

/** The function of the contract. */
export function getCustomJwtClaims(request: usize): usize {
  const answer = claims(new Request(request));
  const at = heap.alloc(16);
  const refused = answer.refusal >= 0;
  const text = String.UTF8.encode(answer.text);
  const slot: usize = refused ? 8 : 4;
  store<u8>(at, u8(refused));
  if (refused) store<u8>(at, u8(answer.refusal), 4);
  store<usize>(at + slot, changetype<usize>(text));
  store<usize>(at + slot, text.byteLength, 4);
  return at;
}

/** Memory for the host to write to. */
export function cabi_realloc(old: usize, oldSize: usize, align: usize, size: usize): usize {
  return old ? heap.realloc(old, size) : heap.alloc(size);
}

/** A failed assertion, in the plugin's log. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  writeAt(3, (message ? message : "aborted") + " at " + (file ? file : "") + ":" + line.toString() + ":" + column.toString());
  unreachable();
}

function writeAt(level: u32, line: string): void {
  const bytes = String.UTF8.encode(line);
  write(level, changetype<usize>(bytes), bytes.byteLength);
}

function text(at: usize): string { return String.UTF8.decodeUnsafe(load<usize>(at), load<usize>(at, 4)); }

function optional(at: usize): string | null { return load<u8>(at) ? text(at + 4) : null; }

function space(json: string, at: i32): i32 {
  while (at < json.length && json.charCodeAt(at) <= 32) at++;
  return at;
}

function afterString(json: string, at: i32): i32 {
  for (at++; at < json.length && json.charAt(at) != '"'; at++) if (json.charAt(at) == "\\") at++;
  return at + 1;
}

function afterValue(json: string, at: i32): i32 {
  for (let depth = 0; at < json.length; ) {
    const next = json.charAt(at);
    if (next == '"') {
      at = afterString(json, at);
      continue;
    }
    if (depth == 0 && (next == "," || next == "}" || next == "]")) break;
    if (next == "{" || next == "[") depth++;
    if (next == "}" || next == "]") depth--;
    at++;
  }
  return at;
}
