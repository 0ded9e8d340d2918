// typescript-mask: receivers are told who changed, and nothing else of them.

import type { TransformWebhook } from "./claimsmith";

export const transformWebhook: TransformWebhook = ({ event, environmentVariables }) => {
  const data = event.data as { id: string; username?: string } | null;
  if (!data) return;
  if (data.username === "test-robot") return { drop: "the test robot is nobody's customer" };
  return {
    body: { event: event.event, data: { id: data.id } },
    headers: { "x-environment": environmentVariables.ENVIRONMENT ?? "" },
    path: "users",
  };
};
