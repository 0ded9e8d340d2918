// A device that lets people sign in elsewhere (RFC 8628): it asks for codes, and then for tokens.

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export class Device {
  static async register(server) {
    const device = new Device();
    device.server = server;
    const { id } = await server.call("POST", "/applications", {
      name: "Living-room television",
      type: "Native",
      customClientMetadata: { isDeviceFlow: true },
    });
    device.clientId = id;
    return device;
  }

  async #post(path, parameters) {
    const body = new URLSearchParams({ client_id: this.clientId, ...parameters });
    return (await fetch(`${this.server.listens}/oidc${path}`, { method: "POST", body })).json();
  }

  /** Its codes, and where to enter the one that it shows. */
  ask() {
    return this.#post("/device/auth", { scope: "openid profile" });
  }

  /** What the token endpoint answers; with `claims` of the ID token, if there is one. */
  async poll({ device_code }) {
    const answer = await this.#post("/token", { grant_type: GRANT, device_code });
    const payload = answer.id_token?.split(".")[1];
    return { ...answer, claims: payload && JSON.parse(Buffer.from(payload, "base64url").toString()) };
  }
}
