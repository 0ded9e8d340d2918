// The contract's function has a name that the language has not: what is exported is called so here.

export default class {
  afterCompile(module) {
    module.removeExport("getCustomJwtClaims");
    module.addFunctionExport("claimsmith/getCustomJwtClaims", "get-custom-jwt-claims");
  }
}
