// typescript-message: sends text messages by a provider with a JSON API.

import type { ComposeMessage } from "./claimsmith";

export const composeMessage: ComposeMessage = ({ id, channel, recipient, content, environmentVariables, api }) => {
  if (channel !== "Sms") api.denyMessage("This provider sends text messages only.");
  const { API_KEY, SENDER } = environmentVariables;
  return {
    url: "https://sms.example.com/messages",
    headers: { authorization: `Bearer ${API_KEY}` },
    body: { id, from: SENDER, to: recipient, text: content.text },
  };
};
