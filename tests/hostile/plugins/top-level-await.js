// expect: refused : top-level code awaits what nobody resolves
await new Promise(() => {});
export const getCustomJwtClaims = () => ({});
