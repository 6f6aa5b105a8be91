# Stands for the web browser: opens the address, and loads the first frame of the job that is shown.
import json, os, re, sys
from http.cookiejar import CookieJar
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

address = sys.argv[1]
browser = build_opener(HTTPCookieProcessor(CookieJar()))
page = urlsplit(browser.open(address).geturl()).path
job = re.fullmatch(r"/tasks/\d+/jobs/(\d+)", page)
frame = {}
if job:
    source = f"/api/jobs/{job[1]}/data?type=frame&number=0&quality=original"
    answer = browser.open(urljoin(address, source))
    frame = {"status": answer.status, "type": answer.headers["Content-Type"], "bytes": len(answer.read())}
result = os.environ["OPENED"]
with open(result + ".part", "w") as file:
    json.dump({"address": address, "page": page, "frame": frame}, file)
os.rename(result + ".part", result)
