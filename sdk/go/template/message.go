// {{name}}: sends text messages by a provider with a JSON API.
package main

import (
	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/message"
)

func init() { message.Plugin(compose) }

func compose(outgoing plugin.OutgoingMessage) (plugin.MessageRequest, error) {
	if outgoing.Channel != "Sms" {
		return plugin.MessageRequest{}, message.Denied("This provider sends text messages only.")
	}
	variables := outgoing.EnvironmentVariables
	return plugin.MessageRequest{
		URL:     "https://sms.example.com/messages",
		Headers: map[string]string{"authorization": "Bearer " + variables["API_KEY"]},
		Body: map[string]any{
			"id": outgoing.ID, "from": variables["SENDER"], "to": outgoing.Recipient, "text": outgoing.Content.Text,
		},
	}, nil
}

func main() {}
