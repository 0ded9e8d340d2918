// expect: failed : takes all memory and hides it
export const getCustomJwtClaims = () => {
  const kept = [];
  try {
    for (;;) kept.push(new Uint8Array(1 << 20).fill(1));
  } catch {
    kept.length = 0;
  }
  return { survived: true };
};
