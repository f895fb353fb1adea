#!/usr/bin/env bash
# Uploads a document, asks a question, and opens what the answer cites. Needs bash and curl.
# export FOOTNOTE_KEY=fn_...; bash quick-start.sh "Travel policy.pdf" "How much may a hotel cost?"
set -euo pipefail
url=${FOOTNOTE_URL:-https://footnote.example}
key=${FOOTNOTE_KEY:?Make a key of an admin that may write, and put it into FOOTNOTE_KEY.}
file=$1
question=$2

request() { # arguments of curl; an error is told as the service words it
  local said
  said=$(curl -sS --fail-with-body -H "Authorization: Bearer $key" "$@") || { printf '%s\n' "$said" >&2; return 1; }
  printf '%s' "$said"
}
call() { # name, input as JSON
  request "$url/v1/$1" -H 'Content-Type: application/json' -d "{\"data\":$2}"
}
field() { # name of a field of text: its first value in what comes in
  grep -oE "\"$1\":\"([^\"\\\\]|\\\\.)*\"" | sed -n "1s/^\"$1\":\"\(.*\)\"\$/\1/p"
}
quoted() { # a text as JSON
  printf '"%s"' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

# Upload: begin, then send the bytes.
name=$(printf '%s' "$(basename "$file")" | base64 | tr -d '\n')
begun=$(request -i -X POST "$url/v1/uploads" -H 'Tus-Resumable: 1.0.0' \
  -H "Upload-Length: $(wc -c <"$file" | tr -d ' ')" -H "Upload-Metadata: filename $name")
location=$(printf '%s' "$begun" | tr -d '\r' | sed -n 's/^[Ll]ocation: //p')
document=$(request -X PATCH "$url$location" -H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: 0' \
  -H 'Content-Type: application/offset+octet-stream' --data-binary "@$file" | field documentId)

# Wait until it is read.
state=queued
while [ "$state" = queued ] || [ "$state" = processing ]; do
  sleep 1
  state=$(call getCompanyFiles null | tr '{' '\n' | grep "\"id\":\"$document\"" | field state)
done
echo "$(basename "$file") is $state."

# Ask.
answer=$(call query "{\"history\":[{\"role\":\"user\",\"parts\":[{\"text\":$(quoted "$question")}]}]}")
printf '%s\n' "$(printf '%s' "$answer" | field answer)"

# Open the first citation: /documents/<documentId>/<version>?cite=<id>, on the page and as data.
link=$(printf '%s' "$answer" | grep -oE '/documents/[0-9a-f-]+/[0-9]+\?cite=[0-9a-f-]+' | head -n 1)
IFS='/?=' read -r _ _ id version _ cite <<<"$link"
echo "$url$link"
call getDocument "{\"documentId\":\"$id\",\"version\":$version,\"cite\":\"$cite\"}" | field quote
