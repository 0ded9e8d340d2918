// `console`, written to the plugin's log. What top-level code writes is kept, and logged in each call.
import log from "claimsmith:plugin/log@1.2.0";
import { call } from "/claimsmith/call.js";

// The host cuts the log of a call as well; this keeps one line from being refused as a whole.
const LONGEST = 16384;

const early = [];

function show(value) {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value}\n${value.stack ?? ""}`.trimEnd();
  if (typeof value !== "object" || value === null) return String(value);
  try {
    return JSON.stringify(value, (_, member) => (typeof member === "bigint" ? `${member}n` : member));
  } catch {
    return String(value);
  }
}

function write(level, values) {
  let message = values.map(show).join(" ");
  // The mark tells the host where a secret may have been cut in two.
  if (message.length > LONGEST) message = `${message.slice(0, LONGEST)}…`;
  if (call.running) log.write(level, message);
  else early.push([level, message]);
}

globalThis.console = {
  debug: (...values) => write("debug", values),
  trace: (...values) => write("debug", values),
  log: (...values) => write("info", values),
  info: (...values) => write("info", values),
  warn: (...values) => write("warn", values),
  error: (...values) => write("error", values),
};

export function flush() {
  if (early.length === 0) return;
  for (const [level, message] of early.splice(0)) log.write(level, message);
}

export { show };
