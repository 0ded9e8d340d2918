// Stories of what a receiver of webhooks is told, each on every database with a server to itself.

import { Receiver } from "./receiver.mjs";
import { DATABASES } from "./server.mjs";
import { story } from "./world.mjs";

/**
 * A story on each database, with a receiver of these events: `(visit, world, receiver)`. In the end nothing that came
 * has a secret.
 */
export const told = (name, events, ...rest) => {
  const [options, tell] = rest.length > 1 ? rest : [{}, rest[0]];
  for (const database of DATABASES) {
    story(`${name}, on ${database}`, { ...options, own: { database } }, async (visit, world) => {
      const receiver = await Receiver.start(world.server, events);
      try {
        await tell(visit, world, receiver);
        receiver.isDiscreet();
      } finally {
        receiver.stop();
      }
    });
  }
};
