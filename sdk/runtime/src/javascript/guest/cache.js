// `api.cache`: values that later calls find, kept as JSON. The host adds the id of the owner.
import cache from "claimsmith:plugin/cache@1.2.0";
import { call } from "/claimsmith/call.js";

const OWNERS = ["user", "application", "everybody"];

function ask(owner, what) {
  if (!call.running) throw new TypeError("cache failed: there is none in top-level code, which runs once");
  if (!OWNERS.includes(owner)) throw new TypeError(`cache failed: an owner is ${OWNERS.join(", ")}, not ${String(owner)}`);
  try {
    return what();
  } catch (thrown) {
    // The host's own words come as the payload of what is thrown.
    throw new TypeError(`cache failed: ${thrown?.payload ?? thrown?.message ?? thrown}`);
  }
}

export const entries = Object.freeze({
  get(owner, key) {
    const found = ask(owner, () => cache.get(owner, String(key)));
    return found == null ? undefined : JSON.parse(new TextDecoder().decode(Uint8Array.from(found)));
  },

  set(owner, key, value, seconds) {
    const text = JSON.stringify(value);
    if (text === undefined) throw new TypeError("cache failed: the value cannot be written as JSON");
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3600) {
      throw new RangeError(`cache failed: an entry lasts from 1 to 3600 seconds, not ${String(seconds)}`);
    }
    ask(owner, () => cache.set(owner, String(key), new TextEncoder().encode(text), seconds));
  },
});
