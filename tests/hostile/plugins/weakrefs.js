// expect: failed : finalizers that make more of their kind
export const getCustomJwtClaims = () => {
  const registry = new FinalizationRegistry(() => registry.register({}, 1));
  for (;;) registry.register({}, new Array(100).fill(1));
};
