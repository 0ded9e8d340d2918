# There is no token; the application is told why. Every other error is a failure, for the plugin's log.
class Denied < StandardError; end

# What this method answers becomes claims of the token.
def get_custom_jwt_claims(request)
  # What a backend said about an impersonation; of other tokens there is nothing to say.
  said = request.dig("context", "grant", "subjectTokenContext")
  return {} unless said

  ticket = said["ticketId"] or raise Denied, "Name the ticket."

  puts "acting for ticket #{ticket}"
  { "#{request.dig("environmentVariables", "PREFIX")}ticket_id" => ticket }
end
