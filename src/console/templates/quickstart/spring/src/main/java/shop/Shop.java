// Signs users in with OpenID Connect, and calls the API with their access token.
package shop;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

@SpringBootApplication
@RestController
public class Shop {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @Value("${API_URL:}")
  private String apiUrl;

  @Autowired
  private OAuth2AuthorizedClientRepository authorizedClients;

  public static void main(String[] arguments) {
    SpringApplication.run(Shop.class, arguments);
  }

  // The server listens where the redirect URI leads.
  @Bean
  WebServerFactoryCustomizer<ConfigurableWebServerFactory> port(@Value("${REDIRECT_URI}") URI redirectUri) {
    return factory -> factory.setPort(redirectUri.getPort() > 0 ? redirectUri.getPort() : 3000);
  }

  @Bean
  SecurityFilterChain security(
      HttpSecurity http,
      ClientRegistrationRepository clients,
      @Value("${REDIRECT_URI}") URI redirectUri,
      @Value("${POST_LOGOUT_URI}") String postLogoutUri,
      @Value("${RESOURCE:}") String resource,
      @Value("${SCOPE}") String scope)
      throws Exception {
    // The access token is issued for the API.
    var requests = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
    requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce().andThen(request -> {
      request.scope(scope.split(" "));
      if (!resource.isEmpty()) request.additionalParameters(parameters -> parameters.put("resource", resource));
    }));
    var tokens = new RestClientAuthorizationCodeTokenResponseClient();
    tokens.addParametersConverter(grant -> {
      var parameters = new LinkedMultiValueMap<String, String>();
      if (!resource.isEmpty()) parameters.add("resource", resource);
      return parameters;
    });
    // The claims of the user are in the ID token.
    var users = new OidcUserService();
    users.setRetrieveUserInfo(request -> false);
    var signOut = new OidcClientInitiatedLogoutSuccessHandler(clients);
    signOut.setPostLogoutRedirectUri(postLogoutUri);
    return http
        .authorizeHttpRequests(paths -> paths.anyRequest().permitAll())
        .oauth2Login(login -> login
            .authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(requests))
            .redirectionEndpoint(endpoint -> endpoint.baseUri(redirectUri.getPath()))
            .tokenEndpoint(endpoint -> endpoint.accessTokenResponseClient(tokens))
            .userInfoEndpoint(endpoint -> endpoint.oidcUserService(users))
            .defaultSuccessUrl("/", true)
            .failureUrl("/"))
        .logout(logout -> logout.logoutUrl("/sign-out").logoutSuccessHandler(signOut))
        .build();
  }

  @GetMapping(value = "/", produces = "text/html")
  String home(
      @AuthenticationPrincipal OidcUser user, OAuth2AuthenticationToken authentication, HttpServletRequest request,
      CsrfToken csrf) {
    if (user == null) return "<p><a href=\"/oauth2/authorization/claimsmith\">Sign in</a></p>";
    String name = user.getFullName() != null ? user.getFullName() : user.getName();
    OAuth2AuthorizedClient client = authorizedClients.loadAuthorizedClient("claimsmith", authentication, request);
    String answer = client == null ? "Sign in again." : callApi(client.getAccessToken().getTokenValue());
    return """
        <p>Hello %s.</p>
        <form method="post" action="/sign-out"><input type="hidden" name="%s" value="%s"><button>Sign out</button></form>
        <pre>%s</pre>
        """.formatted(HtmlUtils.htmlEscape(name), csrf.getParameterName(), csrf.getToken(), HtmlUtils.htmlEscape(answer));
  }

  private String callApi(String accessToken) {
    if (apiUrl.isEmpty()) return "No API is configured.";
    try {
      var request = HttpRequest.newBuilder(URI.create(apiUrl)).header("Authorization", "Bearer " + accessToken).build();
      var answer = HTTP.send(request, BodyHandlers.ofString());
      return "The API answered " + answer.statusCode() + ": " + answer.body();
    } catch (IOException | InterruptedException error) {
      return "The API does not answer at " + apiUrl + ".";
    }
  }
}
