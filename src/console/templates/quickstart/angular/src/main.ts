// Signs users in with OpenID Connect, and calls the API with their access token.
import { Component, inject, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { provideRouter } from "@angular/router";
import { OidcSecurityService, provideAuth } from "angular-auth-oidc-client";
import environment from "./environment.json";

// The access token is issued for this API.
const target: Record<string, string> = environment.resource ? { resource: environment.resource } : {};

@Component({
  selector: "app-root",
  template: `
    @if (name()) {
      <p>Hello {{ name() }}. <button (click)="signOut()">Sign out</button></p>
    } @else {
      <button (click)="signIn()">Sign in</button>
    }
    <pre>{{ text() }}</pre>
  `,
})
class App {
  private readonly oidc = inject(OidcSecurityService);
  readonly name = signal("");
  readonly text = signal("");

  constructor() {
    // Finishes the sign-in if the browser has just come back from one.
    this.oidc.checkAuth().subscribe(({ isAuthenticated, userData, accessToken, errorMessage }) => {
      if (errorMessage) this.text.set(`Not signed in: ${errorMessage}`);
      if (!isAuthenticated) return;
      this.name.set(userData.name ?? userData.username ?? userData.sub);
      void this.callApi(accessToken);
    });
  }

  signIn() {
    this.oidc.authorize();
  }

  signOut() {
    this.oidc.logoffAndRevokeTokens().subscribe();
  }

  private async callApi(accessToken: string) {
    try {
      const response = await fetch("/api", { headers: { authorization: `Bearer ${accessToken}` } });
      this.text.set(`The API answered ${response.status}: ${await response.text()}`);
    } catch {
      this.text.set("The API does not answer.");
    }
  }
}

void bootstrapApplication(App, {
  providers: [
    provideZonelessChangeDetection(),
    provideRouter([{ path: "**", children: [] }]),
    provideAuth({
      config: {
        authority: environment.issuer,
        clientId: environment.clientId,
        redirectUrl: environment.redirectUri,
        postLogoutRedirectUri: environment.postLogoutUri,
        scope: environment.scope,
        responseType: "code",
        silentRenew: true,
        useRefreshToken: true,
        // The claims of the user are in the ID token; the access token is for the API.
        autoUserInfo: false,
        renewUserInfoAfterTokenRenew: false,
        customParamsAuthRequest: target,
        customParamsCodeRequest: target,
        customParamsRefreshTokenRequest: target,
      },
    }),
  ],
});
