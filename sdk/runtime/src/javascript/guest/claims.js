// What an author's module finds when it starts, and how its function is called.
import "/claimsmith/text.js";
import "/claimsmith/random.js";
import { restart } from "/claimsmith/clock.js";
import "/claimsmith/fetch.js";
import { entries } from "/claimsmith/cache.js";
import { flush, show } from "/claimsmith/console.js";
import { call } from "/claimsmith/call.js";

class AccessDenied extends Error {}

const api = Object.freeze({
  denyAccess(message = "Access denied") {
    throw new AccessDenied(String(message));
  },
  cache: entries,
});

// The parts of the request, in the order of `claims_script.rs`. All but the grant's type are JSON; what does not apply is "".
const SEPARATOR = "\u001e";
const [TOKEN, USER, APPLICATION, ORGANIZATION, INTERACTION, GRANT_TYPE, SUBJECT_TOKEN_CONTEXT, VARIABLES] = [0, 1, 2, 3, 4, 5, 6, 7];
let parts;

// Adds a member that is parsed when it is first read, since most plugins read few.
function add(object, name, part) {
  let isKnown = false;
  let value;
  Object.defineProperty(object, name, {
    configurable: true,
    enumerable: true,
    get() {
      if (!isKnown) {
        value = JSON.parse(parts[part]);
        isKnown = true;
      }
      return value;
    },
    set(other) {
      value = other;
      isKnown = true;
    },
  });
}

// An instance answers one call, so what it is told is made before, for the snapshot. A call leaves out what does not apply.
const context = {};
add(context, "user", USER);
add(context, "application", APPLICATION);
add(context, "organization", ORGANIZATION);
add(context, "interaction", INTERACTION);
const grant = { type: "" };
add(grant, "subjectTokenContext", SUBJECT_TOKEN_CONTEXT);
const argument = {};
add(argument, "token", TOKEN);
argument.context = context;
add(argument, "environmentVariables", VARIABLES);
argument.api = api;

function input(request) {
  parts = request.split(SEPARATOR);
  if (parts[USER] === "") delete context.user;
  if (parts[APPLICATION] === "") delete context.application;
  if (parts[ORGANIZATION] === "") delete context.organization;
  if (parts[INTERACTION] === "") delete context.interaction;
  if (parts[SUBJECT_TOKEN_CONTEXT] === "") delete grant.subjectTokenContext;
  if (parts[GRANT_TYPE] !== "") {
    grant.type = parts[GRANT_TYPE];
    context.grant = grant;
  }
  return argument;
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
