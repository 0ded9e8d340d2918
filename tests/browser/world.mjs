// What a story happens in: a Chromium, a server with an application and perhaps a proxy for https, and visits to them.

import { chromium } from "playwright-core";
import { Application } from "./application.mjs";
import { encrypt } from "./encrypted.mjs";
import { freePort, Server } from "./server.mjs";
import { Visit } from "./visit.mjs";

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM });

export class World {
  #visits = [];
  #proxy;

  /** A server on this database, behind https or not. */
  static async make(launched, { database = "SQLite", https = false } = {}) {
    const world = new World();
    world.chromium = launched;
    const port = https && (await freePort());
    const behind = https ? { origin: () => `https://localhost:${port}` } : {};
    world.server = await Server.start(database, behind);
    world.application = await Application.start();
    if (https) world.#proxy = await encrypt(port, world.server.listens);
    return world;
  }

  /** Somebody with a window. */
  async visit(options) {
    const visit = await Visit.begin(this, options);
    this.#visits.push(visit);
    return visit;
  }

  /** Closes all windows. */
  async leave() {
    await Promise.all(this.#visits.splice(0).map((visit) => visit.end()));
  }

  async stop() {
    await this.leave();
    this.#proxy?.closeAllConnections();
    this.#proxy?.close();
    this.application.stop();
    await this.server.stop();
  }
}

const told = [];

/**
 * A story, which begins with a window open. `options` say whose window it is; with `own` the story has a server to
 * itself: `{ database, https }`; one that is `scripted` is about what needs scripts.
 */
export const story = (name, ...rest) => {
  const [options, tell] = rest.length > 1 ? rest : [{}, rest[0]];
  told.push({ name, options, tell });
};

/** The stories of all files that were imported. */
export const stories = () => told;
