// Webhooks as messages of a Slack channel: the hook's URL is that of an incoming webhook of Slack.
//
// Only the events of EVENTS (slack.toml) become messages; every other delivery is dropped, with a reason that stays with
// it. A drop is no failure: nothing is tried again.

// What people read. Events that are not listed here are told by their name.
const SENTENCES = {
  PostRegister: "Somebody registered",
  PostSignIn: "Somebody signed in",
  PostResetPassword: "Somebody reset a password",
  "User.Created": "A user was created",
  "User.Deleted": "A user was deleted",
  "User.SuspensionStatus.Updated": "A user was suspended, or is no longer",
  "Role.Scopes.Updated": "The permissions of a role were changed",
  "Organization.Membership.Updated": "The members of an organization were changed",
};

// Slack reads these three as markup.
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const LONGEST = 150;

function escaped(value) {
  const text = String(value);
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.toWellFormed().replace(/[&<>]/g, (character) => ENTITIES[character]);
}

// Who or what it was about: a name where there is one.
function aboutOf({ data, user, userId, organizationId, roleId }) {
  const whole = data ?? user ?? {};
  return whole.name || whole.username || whole.id || userId || organizationId || roleId;
}

const isListed = (list, event) =>
  list
    .split(",")
    .map((pattern) => pattern.trim())
    .some((pattern) => (pattern.endsWith("*") ? event.startsWith(pattern.slice(0, -1)) : pattern === event));

export const transformWebhook = async ({ event, environmentVariables }) => {
  if (typeof event?.event !== "string") throw new Error("the body is no event: did another plugin change it before?");
  if (!isListed(environmentVariables.EVENTS ?? "", event.event)) return { drop: `Slack is not told of ${event.event}.` };

  const sentence = SENTENCES[event.event] ?? event.event;
  const about = aboutOf(event);
  const line = about === undefined ? `*${sentence}*` : `*${sentence}*: ${escaped(about)}`;
  const details = [event.event, event.createdAt, event.ip ?? event.userIp].filter(Boolean).map(escaped);
  return {
    body: {
      // Shown in notifications.
      text: about === undefined ? sentence : `${sentence}: ${escaped(about)}`,
      blocks: [
        { type: "section", text: { type: "mrkdwn", text: line } },
        { type: "context", elements: [{ type: "mrkdwn", text: details.join("  ·  ") }] },
      ],
    },
  };
};
