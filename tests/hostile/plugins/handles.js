// expect: failed : asks for randomness without end
export const getCustomJwtClaims = () => {
  for (;;) crypto.getRandomValues(new Uint8Array(65536));
};
