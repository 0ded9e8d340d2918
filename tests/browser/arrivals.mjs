// What arrives at a receiver while a story goes on: kept, and waited for.

export class Arrivals {
  #arrived = [];
  #waiting = [];

  /** All that arrived so far. */
  get all() {
    return this.#arrived;
  }

  add(arrival) {
    this.#arrived.push(arrival);
    this.#waiting.splice(0).forEach((look) => look());
  }

  /** The first that is wanted, or the one of this number; waits for it. `what` says what did not come. */
  async wait(isWanted, what, number = 1) {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const found = this.#arrived.filter(isWanted)[number - 1];
      if (found) return found;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(what());
      let timer;
      await new Promise((resolve) => {
        this.#waiting.push(resolve);
        timer = setTimeout(resolve, left);
      });
      clearTimeout(timer);
    }
  }
}
