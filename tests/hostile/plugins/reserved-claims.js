// expect: issued : sets every name that is not a plugin's to set
export const getCustomJwtClaims = () => {
  return { iss: "root", sub: "root", aud: "root", exp: "root", nbf: "root", iat: "root", jti: "root", client_id: "root", azp: "root", scope: "root", act: "root", may_act: "root", cnf: "root", typ: "root", auth_time: "root", nonce: "root", sid: "root", at_hash: "root", c_hash: "root", s_hash: "root", organization_id: "root", fine: 1 };
};
