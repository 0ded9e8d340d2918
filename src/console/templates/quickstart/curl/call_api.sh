#!/usr/bin/env bash
# Requests an access token with the client credentials grant, and calls the API with it.
set -euo pipefail
. ./.env

answer=$(curl -sS --fail-with-body "$ISSUER/token" \
  --user "$CLIENT_ID:$CLIENT_SECRET" \
  --data-urlencode grant_type=client_credentials \
  --data-urlencode resource="$RESOURCE" \
  --data-urlencode scope="$SCOPE") || { echo "$answer" >&2; exit 1; }
token=$(sed -E 's/.*"access_token" *: *"([^"]*)".*/\1/' <<<"$answer")

curl -sS --fail-with-body "$API_URL" --header "Authorization: Bearer $token"
