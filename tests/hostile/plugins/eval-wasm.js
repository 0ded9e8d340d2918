// expect: failed : looks for an engine inside the engine
export const getCustomJwtClaims = () => {
  return { a: new WebAssembly.Module(new Uint8Array(8)) };
};
