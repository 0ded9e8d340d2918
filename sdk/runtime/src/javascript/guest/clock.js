// `performance.now`, from 0 in each call. The host's clocks have milliseconds; what the runtime remembers of the time when
// it was prepared means nothing to a call.
const elapsed = globalThis.performance?.now.bind(globalThis.performance) ?? Date.now;
let start = elapsed();

globalThis.performance = Object.freeze({ now: () => Math.max(0, Math.round(elapsed() - start)) });

export function restart() {
  start = elapsed();
}
