// expect: refused : top-level code without end
for (;;);
export const getCustomJwtClaims = () => ({});
