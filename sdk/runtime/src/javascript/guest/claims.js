// What an author's module finds when it starts, and how its function is called.
import "/claimsmith/text.js";
import "/claimsmith/random.js";
import { restart } from "/claimsmith/clock.js";
import "/claimsmith/fetch.js";
import { flush, show } from "/claimsmith/console.js";
import { call } from "/claimsmith/call.js";

class AccessDenied extends Error {}

const api = Object.freeze({
  denyAccess(message = "Access denied") {
    throw new AccessDenied(String(message));
  },
});

function input({ token, context, environmentVariables }) {
  const parsed = {};
  for (const name of ["user", "application", "organization", "interaction"]) {
    if (context[name] != null) parsed[name] = JSON.parse(context[name]);
  }
  if (context.grant != null) {
    const { type, subjectTokenContext } = context.grant;
    parsed.grant = { type };
    if (subjectTokenContext != null) parsed.grant.subjectTokenContext = JSON.parse(subjectTokenContext);
  }
  return { token: JSON.parse(token), context: parsed, environmentVariables: Object.fromEntries(environmentVariables), api };
}

// A thrown object of this shape is the error of the WIT; anything else thrown would be a trap.
function failure(thrown) {
  if (thrown instanceof AccessDenied) return { tag: "denied", val: thrown.message };
  if (thrown instanceof Error) return { tag: "failed", val: `${thrown.name}: ${thrown.message}\n${thrown.stack ?? ""}` };
  return { tag: "failed", val: `thrown: ${show(thrown)}` };
}

export async function run(main, request) {
  call.running = true;
  restart();
  flush();
  try {
    const answer = await main(input(request));
    return JSON.stringify(answer) ?? typeof answer;
  } catch (thrown) {
    throw failure(thrown);
  }
}
