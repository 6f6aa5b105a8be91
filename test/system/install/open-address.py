# Stands for the web browser: opens the address, loads the first frame of the job that is shown, and opens the sample
# project as the page does.
import json, os, re, sys, time
from http.cookiejar import CookieJar
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

address = sys.argv[1]
cookies = CookieJar()
browser = build_opener(HTTPCookieProcessor(cookies))


def read(path):
    return json.load(browser.open(urljoin(address, path)))


def open_sample():
    archive = browser.open(urljoin(address, "/sample/project.zip")).read()
    head = b'--part\r\nContent-Disposition: form-data; name="project_file"; filename="sample.zip"\r\n\r\n'
    headers = {
        "Content-Type": "multipart/form-data; boundary=part",
        "X-CSRFToken": next(cookie.value for cookie in cookies if cookie.name == "csrftoken"),
    }
    body = head + archive + b"\r\n--part--\r\n"
    request = json.load(browser.open(Request(urljoin(address, "/api/projects/backup/"), body, headers)))
    while (state := read(f"/api/requests/{request['rq_id']}"))["status"] not in ("finished", "failed"):
        time.sleep(0.1)
    tasks = read(f"/api/tasks?project_id={state['result_id']}")["results"] if state["status"] == "finished" else []
    return {"status": state["status"], "message": state["message"], "frames": sum(task["size"] for task in tasks)}


page = urlsplit(browser.open(address).geturl()).path
job = re.fullmatch(r"/tasks/\d+/jobs/(\d+)", page)
frame = {}
if job:
    source = f"/api/jobs/{job[1]}/data?type=frame&number=0&quality=original"
    answer = browser.open(urljoin(address, source))
    frame = {"status": answer.status, "type": answer.headers["Content-Type"], "bytes": len(answer.read())}
try:
    sample = open_sample()
except Exception as error:
    sample = {"status": "failed", "message": repr(error), "frames": 0}
result = os.environ["OPENED"]
with open(result + ".part", "w") as file:
    json.dump({"address": address, "page": page, "frame": frame, "sample": sample}, file)
os.rename(result + ".part", result)
