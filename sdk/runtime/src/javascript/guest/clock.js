// `performance.now`, from 0 in each call. The host's clocks have milliseconds; what the runtime remembers of the time when
// it was prepared means nothing to a call.
const elapsed = globalThis.performance?.now.bind(globalThis.performance) ?? Date.now;
let start;

globalThis.performance = Object.freeze({
  now() {
    const now = elapsed();
    // A call's time begins when it first asks: most never do, and asking the host is not free.
    start ??= now;
    return Math.max(0, Math.round(now - start));
  },
});

export function restart() {
  start = undefined;
}
