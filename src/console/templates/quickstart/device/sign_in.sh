#!/usr/bin/env bash
# Signs a user in on another device (RFC 8628), and calls the API with their access token.
set -euo pipefail
. ./.env
# A text or a number of a JSON object.
member() { sed -nE "s/.*\"$1\" *: *\"?([^\",}]*).*/\1/p"; }
target=()
if [ -n "$RESOURCE" ]; then target=(--data-urlencode "resource=$RESOURCE"); fi

started=$(curl -sS --fail-with-body "$ISSUER/device/auth" --data-urlencode client_id="$CLIENT_ID" \
  --data-urlencode scope="$SCOPE" ${target[@]+"${target[@]}"}) || { echo "$started" >&2; exit 1; }
echo "Open $(member verification_uri_complete <<<"$started")"
echo "and compare the code $(member user_code <<<"$started")."
interval=$(member interval <<<"$started")
while sleep "$interval"; do
  answer=$(curl -sS "$ISSUER/token" --data-urlencode client_id="$CLIENT_ID" \
    --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:device_code \
    --data-urlencode device_code="$(member device_code <<<"$started")" ${target[@]+"${target[@]}"})
  case $(member error <<<"$answer") in
    "") break ;;
    authorization_pending) ;;
    slow_down) interval=$((interval + 5)) ;;
    *) echo "$answer" >&2; exit 1 ;;
  esac
done

echo "Signed in."
if [ -n "$API_URL" ]; then
  curl -sS --fail-with-body "$API_URL" --header "Authorization: Bearer $(member access_token <<<"$answer")"
fi
