// expect: refused : top-level code takes all memory
const kept = [];
for (;;) kept.push(new Uint8Array(1 << 20).fill(1));
export const getCustomJwtClaims = () => ({});
