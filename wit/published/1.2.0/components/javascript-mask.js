// javascript-mask: receivers are told who changed, and nothing else of them.

/** @type {import("./claimsmith").TransformWebhook} */
export const transformWebhook = ({ event, environmentVariables }) => {
  const { data } = event;
  if (!data) return;
  if (data.username === "test-robot") return { drop: "the test robot is nobody's customer" };
  return {
    body: { event: event.event, data: { id: data.id } },
    headers: { "x-environment": environmentVariables.ENVIRONMENT },
    path: "users",
  };
};
