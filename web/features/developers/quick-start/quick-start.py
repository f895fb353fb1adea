# Uploads a document, asks a question, and opens what the answer cites. Needs Python 3.9, and nothing else.
# export FOOTNOTE_KEY=fn_...; python3 quick-start.py "Travel policy.pdf" "How much may a hotel cost?"
import base64
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

url = os.environ.get("FOOTNOTE_URL", "https://footnote.example")
key = os.environ.get("FOOTNOTE_KEY")
if not key:
    sys.exit("Make a key of an admin that may write, and put it into FOOTNOTE_KEY.")
path, question = sys.argv[1:3]
bearer = {"Authorization": f"Bearer {key}"}


def send(method, address, body, headers):
    request = urllib.request.Request(address, data=body, method=method, headers={**bearer, **headers})
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        sys.exit(error.read().decode())


def call(name, data):
    body = json.dumps({"data": data}).encode()
    with send("POST", f"{url}/v1/{name}", body, {"Content-Type": "application/json"}) as response:
        return json.load(response)["result"]


# Upload: begin, then send the bytes.
with open(path, "rb") as file:
    content = file.read()
tus = {"Tus-Resumable": "1.0.0"}
name = base64.b64encode(os.path.basename(path).encode()).decode()
about = {"Upload-Length": str(len(content)), "Upload-Metadata": f"filename {name}"}
with send("POST", f"{url}/v1/uploads", None, {**tus, **about}) as begun:
    location = urllib.parse.urljoin(url, begun.headers["Location"])
piece = {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
with send("PATCH", location, content, {**tus, **piece}) as sent:
    document_id = json.load(sent)["documentId"]

# Wait until it is read.
state = "queued"
while state in ("queued", "processing"):
    time.sleep(1)
    state = next((file["state"] for file in call("getCompanyFiles", None) if file["id"] == document_id), "gone")
print(f"{os.path.basename(path)} is {state}.")

# Ask.
answer = call("query", {"history": [{"role": "user", "parts": [{"text": question}]}]})
print(answer["answer"])

# Open the first citation, on the page and as data.
for source in answer["sources"][:1]:
    link = urllib.parse.urljoin(url, source["url"])
    print(link)
    cite = urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["cite"][0]
    shown = call("getDocument", {"documentId": source["documentId"], "version": source["version"], "cite": cite})
    print(shown["citation"]["quote"])
