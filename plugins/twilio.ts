// Text messages by Twilio (https://www.twilio.com/docs/messaging/api/message-resource). A connector of the factory
// `plugin-sms` names this plugin; see sdk/docs/messages.md. This is how a form goes, and a password (basic authentication).

interface Message {
  channel: string;
  recipient: string;
  content: { text?: string };
  environmentVariables: { ACCOUNT_SID?: string; AUTH_TOKEN?: string; FROM?: string };
  api: { denyMessage(message: string): never };
}

export const composeMessage = ({ channel, recipient, content, environmentVariables, api }: Message) => {
  if (channel !== "Sms") api.denyMessage("Twilio sends text messages only.");
  const { ACCOUNT_SID = "", AUTH_TOKEN = "", FROM = "" } = environmentVariables;
  return {
    url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(ACCOUNT_SID)}/Messages.json`,
    headers: { authorization: `Basic ${btoa(`${ACCOUNT_SID}:${AUTH_TOKEN}`)}` },
    body: new URLSearchParams({ To: recipient, From: FROM, Body: content.text ?? "" }),
  };
};
