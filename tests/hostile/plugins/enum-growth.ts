// expect: failed : an enum whose members grow each other
enum Grow {
  A = 1,
  B = A << 30,
  C = B | A,
}
export const getCustomJwtClaims = (): object => {
  for (let at: number = Grow.C; ; at += 1);
};
