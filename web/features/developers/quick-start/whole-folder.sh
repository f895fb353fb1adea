#!/usr/bin/env bash
# Uploads a folder, asks what stands in a file of questions, and opens what the answers cite. Needs bash and curl.
# export FOOTNOTE_KEY=fn_...; bash whole-folder.sh ./contracts questions.txt
set -euo pipefail
url=${FOOTNOTE_URL:-https://footnote.example}
key=${FOOTNOTE_KEY:?Make a key of an admin that may write, and put it into FOOTNOTE_KEY.}
folder=$1
questions=$2

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

request() { # arguments of curl, which comes back when the service says so; an error is told as the service words it
  curl -sS --fail-with-body --retry 9 -o "$scratch/reply" -H "Authorization: Bearer $key" "$@" 2>"$scratch/curl" ||
    { cat "$scratch/curl" "$scratch/reply" >&2; return 1; }
  cat "$scratch/reply"
}
call() { # name, input as JSON
  request "$url/v1/$1" -H 'Content-Type: application/json' -d "{\"data\":$2}"
}
field() { # name of a field of text: its first value in what comes in
  grep -oE "\"$1\":\"([^\"\\\\]|\\\\.)*\"" | sed -n "1s/^\"$1\":\"\(.*\)\"\$/\1/p"
}
quoted() { # a text as JSON
  printf '"%s"' "$(printf '%s' "$1" | tr '\t' ' ' | sed 's/\\/\\\\/g; s/"/\\"/g')"
}
upload() { # path of a file: the id of its document
  local name begun location
  name=$(printf '%s' "$(basename "$1")" | base64 | tr -d '\n')
  begun=$(request -i -X POST "$url/v1/uploads" -H 'Tus-Resumable: 1.0.0' \
    -H "Upload-Length: $(wc -c <"$1" | tr -d ' ')" -H "Upload-Metadata: filename $name")
  location=$(printf '%s' "$begun" | tr -d '\r' | sed -n 's/^[Ll]ocation: //p')
  request -X PATCH "$url$location" -H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: 0' \
    -H 'Content-Type: application/offset+octet-stream' --data-binary "@$1" | field documentId
}

# Upload one after the other; a file whose name is there already becomes its next version.
uploaded=$scratch/uploaded
for file in "$folder"/*; do
  if [ -f "$file" ]; then upload "$file" >>"$uploaded"; fi
done
echo "$(wc -l <"$uploaded" | tr -d ' ') files are uploaded."

# Wait until all of them are read: a line for each file, and of those the uploaded ones.
reading=true
while [ "$reading" = true ]; do
  sleep 2
  files=$(call getCompanyFiles null | sed 's/{"id":/\n{"id":/g' | grep -F -f "$uploaded")
  printf '%s' "$files" | grep -qE '"state":"(queued|processing)"' || reading=false
done
failed=$(printf '%s\n' "$files" | grep '"state":"failed"' || true)
if [ -n "$failed" ]; then
  while IFS= read -r file; do
    echo "$(printf '%s' "$file" | field name): $(printf '%s' "$file" | field reason)"
  done <<<"$failed"
fi
echo "$(printf '%s\n' "$files" | grep -vc '"state":"failed"' || true) files are read."

# Ask, and open what is cited, on the page and as data: /documents/<documentId>/<version>?cite=<id>.
while IFS= read -r question || [ -n "$question" ]; do
  question=${question%$'\r'}
  if [ -z "${question// /}" ]; then continue; fi
  answer=$(call query "{\"history\":[{\"role\":\"user\",\"parts\":[{\"text\":$(quoted "$question")}]}]}")
  printf '\n# %s\n%b\n' "$question" "$(printf '%s' "$answer" | field answer)"
  links=$(printf '%s' "$answer" | grep -oE '"url":"/documents/[0-9a-f-]+/[0-9]+\?cite=[0-9a-f-]+' | cut -d '"' -f 4 || true)
  for link in $links; do
    IFS='/?=' read -r _ _ id version _ cite <<<"$link"
    echo "$url$link"
    echo "  $(call getDocument "{\"documentId\":\"$id\",\"version\":$version,\"cite\":\"$cite\"}" | field quote)"
  done
done <"$questions"
