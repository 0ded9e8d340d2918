// expect: failed : copies megabytes to and fro
export const getCustomJwtClaims = () => {
  const bytes = new Uint8Array(32 << 20);
  for (;;) bytes.copyWithin(1, 0);
};
