// expect: issued : measures by the clock, as fine as it goes
export const getCustomJwtClaims = () => {
  const seen = new Set();
  const start = Date.now();
  while (Date.now() - start < 20) seen.add(performance.now());
  if ([...seen].some((at) => !Number.isInteger(at))) throw new Error("a clock finer than a millisecond");
  return { ticks: seen.size };
};
