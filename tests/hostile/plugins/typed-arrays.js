// expect: failed : views of buffers without end
export const getCustomJwtClaims = () => {
  const kept = [];
  for (;;) kept.push(new Float64Array(new ArrayBuffer(1 << 16)));
};
