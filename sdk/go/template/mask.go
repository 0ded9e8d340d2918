// {{name}}: receivers are told who changed, and nothing else of them.
package main

import (
	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/transform"
)

func init() { transform.Plugin(mask) }

func mask(delivery plugin.Delivery) (transform.Outcome, error) {
	data, isObject := delivery.Event.Data.(map[string]any)
	if !isObject {
		return transform.Outcome{}, nil
	}
	if data["username"] == "test-robot" {
		return transform.Drop("the test robot is nobody's customer"), nil
	}
	path := "users"
	return transform.Send(plugin.Changed{
		Body:    map[string]any{"event": delivery.Event.Event, "data": map[string]any{"id": data["id"]}},
		Headers: map[string]string{"x-environment": delivery.EnvironmentVariables["ENVIRONMENT"]},
		Path:    &path,
	}), nil
}

func main() {}
