// E-mails by Postmark (https://postmarkapp.com/developer/api/email-api). A connector of the factory `plugin-email` names
// this plugin; see sdk/docs/messages.md. Every other provider with a JSON API looks much the same.

export const composeMessage = ({ id, channel, event, recipient, content, environmentVariables, api }) => {
  if (channel !== "Email") api.denyMessage("Postmark sends e-mails only.");
  const { FROM, STREAM, SERVER_TOKEN } = environmentVariables;
  // The sender's name, where the template of the message has one.
  const from = content.sendFrom ? `"${content.sendFrom.replace(/["\\]/g, "")}" <${FROM}>` : FROM;
  return {
    url: "https://api.postmarkapp.com/email",
    headers: { accept: "application/json", "x-postmark-server-token": SERVER_TOKEN },
    body: {
      From: from,
      To: recipient,
      ReplyTo: content.replyTo,
      Subject: content.subject,
      TextBody: content.text,
      HtmlBody: content.html,
      MessageStream: STREAM,
      Tag: event,
      Metadata: { message: id },
    },
  };
};
