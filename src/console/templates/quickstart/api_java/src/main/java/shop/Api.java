// Checks the access token of each request: signature, issuer, audience, type, expiry, then scope and claims.
package shop;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Api {
  public static void main(String[] arguments) {
    SpringApplication.run(Api.class, arguments);
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http, @Value("${SCOPE:}") String scope) throws Exception {
    return http
        .authorizeHttpRequests(requests -> {
          // A token with the scope. Scopes are authorities with the prefix SCOPE_.
          if (!scope.isEmpty()) requests.requestMatchers("/scoped").hasAuthority("SCOPE_" + scope);
          // A token with a claim that a plugin added.
          requests.requestMatchers("/gold").access((authentication, context) -> new AuthorizationDecision(
              authentication.get() instanceof JwtAuthenticationToken token
                  && "gold".equals(token.getToken().getClaims().get("plan"))));
          requests.anyRequest().authenticated();
        })
        .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
        .build();
  }

  // Keys are cached for five minutes, and fetched again when a token names an unknown one. A token that expired less
  // than a minute ago is accepted.
  @Bean
  JwtDecoder decoder(
      @Value("${ISSUER}") String issuer, @Value("${JWKS_URI}") String keys, @Value("${AUDIENCE}") String audience) {
    NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSetUri(keys)
        .jwsAlgorithms(algorithms -> algorithms.addAll(
            Set.of(SignatureAlgorithm.ES256, SignatureAlgorithm.ES384, SignatureAlgorithm.RS256)))
        // ID tokens have another type: they say who signed in, and allow nothing.
        .jwtProcessorCustomizer(processor -> processor.setJWSTypeVerifier(
            new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt"))))
        .build();
    decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
        JwtValidators.createDefaultWithIssuer(issuer),
        new JwtClaimValidator<Object>("exp", expiry -> expiry != null),
        new JwtClaimValidator<List<String>>("aud", audiences -> audiences != null && audiences.contains(audience))));
    return decoder;
  }

  // Any valid token.
  @GetMapping("/")
  Map<String, Object> claims(@AuthenticationPrincipal Jwt token) {
    return token.getClaims();
  }

  @GetMapping("/scoped")
  Map<String, Object> scoped(@AuthenticationPrincipal Jwt token) {
    return Map.of("subject", token.getSubject());
  }

  @GetMapping("/gold")
  Map<String, Object> gold(@AuthenticationPrincipal Jwt token) {
    return Map.of("plan", token.getClaims().get("plan"));
  }
}
