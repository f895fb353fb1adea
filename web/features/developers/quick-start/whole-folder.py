# Uploads a folder, asks what stands in a file of questions, and opens what the answers cite. Needs Python 3.9 alone.
# export FOOTNOTE_KEY=fn_...; python3 whole-folder.py ./contracts questions.txt
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
folder, questions = sys.argv[1:3]


def send(method, path, headers, body=None):
    address = urllib.parse.urljoin(url, path)
    for attempt in range(1, 11):
        headers = {"Authorization": f"Bearer {key}", **headers}
        try:
            with urllib.request.urlopen(urllib.request.Request(address, body, headers, method=method)) as response:
                return response.headers, response.read()
        except urllib.error.HTTPError as error:
            # Too many requests, or busy: the service says when to come back.
            if error.code not in (429, 503) or attempt == 10:
                sys.exit(error.read().decode())
            time.sleep(int(error.headers.get("Retry-After") or attempt))


def call(name, data):
    body = json.dumps({"data": data}).encode()
    return json.loads(send("POST", f"/v1/{name}", {"Content-Type": "application/json"}, body)[1])["result"]


def upload(name):
    with open(os.path.join(folder, name), "rb") as file:
        content = file.read()
    tus = {"Tus-Resumable": "1.0.0"}
    metadata = f"filename {base64.b64encode(name.encode()).decode()}"
    about = {"Upload-Length": str(len(content)), "Upload-Metadata": metadata}
    location = send("POST", "/v1/uploads", {**tus, **about})[0]["Location"]
    piece = {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    return json.loads(send("PATCH", location, {**tus, **piece}, content)[1])["documentId"]


# Upload one after the other; a file whose name is there already becomes its next version.
uploaded = {
    upload(entry.name) for entry in os.scandir(folder) if entry.is_file() and not entry.name.startswith(".")
}
print(f"{len(uploaded)} files are uploaded.", flush=True)

# Wait until all of them are read.
reading = True
while reading:
    time.sleep(2)
    files = [file for file in call("getCompanyFiles", None) if file["id"] in uploaded]
    reading = any(file["state"] in ("queued", "processing") for file in files)
for file in files:
    if file["state"] == "failed":
        print(f"{file['name']}: {file['reason']}")
print(f"{sum(file['state'] != 'failed' for file in files)} files are read.", flush=True)

# Ask, and open what is cited, on the page and as data.
with open(questions, encoding="utf-8") as file:
    lines = [line.strip() for line in file if line.strip()]
for text in lines:
    answer = call("query", {"history": [{"role": "user", "parts": [{"text": text}]}]})
    print(f"\n# {text}\n{answer['answer']}")
    for source in answer["sources"]:
        link = urllib.parse.urljoin(url, source["url"])
        cite = urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["cite"][0]
        shown = call("getDocument", {"documentId": source["documentId"], "version": source["version"], "cite": cite})
        print(f"{link}\n  {shown['citation']['quote']}", flush=True)
