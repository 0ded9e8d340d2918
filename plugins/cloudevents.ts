// Webhooks as CloudEvents 1.0 in structured mode: for receivers that route, filter and store events of many sources.
//
// The event becomes `data`; what routers look at stands around it. Receivers that know CloudEvents tell it by the
// content type. TypeScript works as it is: types are stripped when the file is loaded, not checked.

interface Event {
  event: string;
  createdAt?: string;
  userId?: string;
  organizationId?: string;
  roleId?: string;
  data?: { id?: unknown } | null;
}

interface Delivery {
  deliveryId: string;
  event: Event;
  environmentVariables: { SOURCE?: string; TYPE_PREFIX?: string };
}

// What the event is about, where it says so.
const subjectOf = ({ data, userId, organizationId, roleId }: Event): string | undefined => {
  const id = data?.id ?? userId ?? organizationId ?? roleId;
  return typeof id === "string" && id !== "" ? id : undefined;
};

export const transformWebhook = async ({ deliveryId, event, environmentVariables }: Delivery) => {
  if (typeof event?.event !== "string") throw new Error("the body is no event: did another plugin change it before?");
  const { SOURCE = "urn:claimsmith", TYPE_PREFIX = "" } = environmentVariables;
  return {
    headers: { "content-type": "application/cloudevents+json" },
    body: {
      specversion: "1.0",
      id: deliveryId,
      source: SOURCE,
      type: `${TYPE_PREFIX}${event.event}`,
      // What is undefined is left out.
      subject: subjectOf(event),
      time: event.createdAt,
      datacontenttype: "application/json",
      data: event,
    },
  };
};
