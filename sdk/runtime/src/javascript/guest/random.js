// Randomness from the host, anew in each call. Top-level code has none: its results would repeat in every call.
import random from "claimsmith:plugin/random@1.2.0";
import { call } from "/claimsmith/call.js";

const POOL = 512;
const LARGEST = 4096;

let pool = new Uint8Array(0);
let used = 0;

function fresh(length) {
  if (!call.running) throw new Error("there is no randomness in top-level code: it would repeat in every call");
  return Uint8Array.from(random.bytes(length));
}

function take(length) {
  if (length > POOL) return fresh(length);
  if (used + length > pool.length) {
    pool = fresh(POOL);
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}

Math.random = () => {
  const bytes = new DataView(take(8).slice().buffer);
  return ((bytes.getUint32(0) >>> 5) * 2 ** 26 + (bytes.getUint32(4) >>> 6)) / 2 ** 53;
};

function getRandomValues(array) {
  if (!ArrayBuffer.isView(array)) throw new TypeError("getRandomValues fills a typed array of integers");
  if (array.byteLength > 65536) throw new RangeError("getRandomValues fills at most 65536 bytes");
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let at = 0; at < bytes.length; at += LARGEST) bytes.set(take(Math.min(LARGEST, bytes.length - at)), at);
  return array;
}

function randomUUID() {
  const bytes = take(16).slice();
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

globalThis.crypto = Object.freeze({ getRandomValues, randomUUID });
