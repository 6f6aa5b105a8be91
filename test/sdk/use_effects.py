"""Creates objects with each optional field of cvat-sdk, and looks at what it changes: not only that it is read back."""

import hashlib
import hmac
import io
import json
import shutil
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import quote

from checks import check, expect
from cvat_sdk import models
from raw_calls import call, form_of, stated_fields, unique, upload
from world import compared_task, folder, images, make_video, new_task, release, report_of, run_signed_in

labels = [{"name": "car"}]
# Fields that are kept and read back, and change nothing else.
only_kept = {
    "source_storage": "there are no cloud storages",
    "target_storage": "there are no cloud storages",
    "enable_ssl": "the receiver of this test has no certificate; in test/integration/webhooks",
    "content_type": "has one value",
    "max_validations_per_job": "finished jobs are not validated automatically, as in open-source CVAT",
    "target_metric": "for the interface",
    "target_metric_threshold": "for the interface",
    "low_overlap_threshold": "the severity of conflicts, in test/contract/work/quality.test.ts",
}


def made(path, **body):
    status, answer = call("POST", path, body)
    expect(status, 201, (path, body, answer))
    return answer


def results(path):
    return call("GET", path)[1]["results"]


def has(path, number):
    """True if the object is in the list with that filter."""
    return number in [one["id"] for one in results(path + "&page_size=200")]


def person():
    name = unique("person")
    account = {"username": name, "password1": "Never-Guess-1", "password2": "Never-Guess-1"}
    made("/api/auth/register", **account, email=f"{name}@example.org")
    return next(one for one in results(f"/api/users?search={name}") if one["username"] == name)


def expect_all(model, effects, required):
    """Each optional field of a model has an effect, is only kept, or is listed in the documentation."""
    stated = {field for (name, field), state in stated_fields().items() if name == model and state != "acted on"}
    fields = set(getattr(models, model).attribute_map.values()) - set(required)
    expect(fields - set(effects) - set(only_kept) - stated, set(), f"{model}: fields without an effect")
    wrong = []
    for field in sorted(fields & set(effects)):
        try:
            seen = effects[field]()
        except Exception as error:
            seen = f"{type(error).__name__}: {error}"
        if seen is not True:
            wrong.append(f"{model}.{field}: {seen}")
    expect(wrong, [])


def data_of(number, **sent):
    """Adds the images to a task. Returns the message if that fails."""
    path = f"/api/tasks/{number}/data/"
    upload(path, {"Upload-Start": ""})
    content_type, body = form_of(images)
    upload(path, {"Upload-Multiple": "", "Content-Type": content_type}, body)
    headers = {"Upload-Finish": "", "Content-Type": "application/json"}
    finished(upload(path, headers, json.dumps({"image_quality": 70, **sent}).encode()))
    return number


def finished(started):
    status, answer = started
    expect(status, 202, answer)
    while True:
        request = call("GET", f"/api/requests/{answer['rq_id']}")[1]
        if request["status"] in ("finished", "failed"):
            expect(request["status"], "finished", request)
            return
        time.sleep(0.05)


def task_with(**fields):
    own = {} if "project_id" in fields else {"labels": labels}
    return data_of(made("/api/tasks", **{"name": unique("task"), **own, **fields})["id"])


def ranges(number, kinds=("annotation",)):
    found = [one for one in results(f"/api/jobs?task_id={number}&sort=id&page_size=200") if one["type"] in kinds]
    return [(one["start_frame"], one["stop_frame"]) for one in found]


def names_of(owner):
    return sorted(one["name"] for one in results(f"/api/labels?{owner}"))


def trackers(number):
    return {one["bug_tracker"] for one in results(f"/api/jobs?task_id={number}")}


tracker = "https://example.org/bugs"


@check
def fields_of_tasks_act(_context):
    one = person()
    project = made("/api/projects", name=unique("project"), labels=[{"name": "bus"}])["id"]
    replicas = ("consensus_replica", "replica")

    def in_project():
        number = task_with(project_id=project)
        return names_of(f"task_id={number}") == ["bus"] and has(f"/api/tasks?project_id={project}", number)

    effects = {
        "segment_size": lambda: ranges(task_with(segment_size=2)) == [(0, 1), (2, 3), (4, 4)],
        "overlap": lambda: ranges(task_with(segment_size=3, overlap=1)) == [(0, 2), (2, 4)],
        "consensus_replicas": lambda: ranges(task_with(consensus_replicas=2), replicas) == [(0, 4)] * 2,
        "initial_replicas": lambda: ranges(task_with(initial_replicas=2), replicas) == [(0, 4)] * 2,
        "labels": lambda: names_of(f"task_id={task_with(labels=[{'name': 'van'}])}") == ["van"],
        "subset": lambda: has("/api/tasks?subset=Train", task_with(subset="Train")),
        "project_id": in_project,
        "owner_id": lambda: has(f"/api/tasks?owner={one['username']}", task_with(owner_id=one["id"])),
        "assignee_id": lambda: has(f"/api/tasks?assignee={one['username']}", task_with(assignee_id=one["id"])),
        "bug_tracker": lambda: trackers(task_with(bug_tracker=tracker)) == {tracker},
    }
    expect_all("TaskWriteRequest", effects, ["name"])


@check
def fields_of_projects_act(_context):
    one = person()
    project = lambda **fields: made("/api/projects", name=unique("project"), **fields)["id"]

    def labels_of_its_tasks():
        number = task_with(project_id=project(labels=[{"name": "van"}]))
        return names_of(f"task_id={number}") == ["van"]

    effects = {
        "labels": labels_of_its_tasks,
        "owner_id": lambda: has(f"/api/projects?owner={one['username']}", project(owner_id=one["id"])),
        "assignee_id": lambda: has(f"/api/projects?assignee={one['username']}", project(assignee_id=one["id"])),
        "bug_tracker": lambda: trackers(task_with(project_id=project(bug_tracker=tracker))) == {tracker},
    }
    expect_all("ProjectWriteRequest", effects, ["name"])


@check
def fields_of_ground_truth_jobs_act(_context):
    one = person()

    def truth(method, segment_size=0, **fields):
        number = task_with(segment_size=segment_size)
        job = {"type": "ground_truth", "task_id": number, "frame_selection_method": method}
        answer = made("/api/jobs", **job, **fields)
        return number, answer["id"]

    def frames(*arguments, **fields):
        number, _ = truth(*arguments, **fields)
        return call("GET", f"/api/tasks/{number}/validation_layout")[1]["validation_frames"]

    def listed(name, value, **fields):
        _, job = truth("manual", frames=[0], **fields)
        return has(f"/api/jobs?{name}={quote(value)}", job)

    seeded = lambda: frames("random_uniform", frame_count=2, random_seed=3)
    effects = {
        "frames": lambda: frames("manual", frames=[1, 3]) == [1, 3],
        "frame_count": lambda: len(frames("random_uniform", frame_count=2)) == 2,
        "frame_share": lambda: len(frames("random_uniform", frame_share=0.6)) == 3,
        "frames_per_job_count": lambda: len(frames("random_per_job", 3, frames_per_job_count=1)) == 2,
        "frames_per_job_share": lambda: len(frames("random_per_job", 3, frames_per_job_share=0.7)) == 4,
        "frame_selection_method": lambda: len(frames("random_per_job", 2, frames_per_job_count=1)) == 3,
        "random_seed": lambda: seeded() == seeded(),
        "assignee": lambda: listed("assignee", one["username"], assignee=one["id"]),
        "stage": lambda: listed("stage", "validation", stage="validation"),
        "state": lambda: listed("state", "in progress", state="in progress"),
    }
    expect_all("JobWriteRequest", effects, ["type", "task_id"])


def chunk(number, query="type=chunk&number=0&quality=compressed"):
    return upload(f"/api/tasks/{number}/data?{query}", {}, method="GET", as_json=False)[1]


def files_in(bytes_):
    return len([name for name in zipfile.ZipFile(io.BytesIO(bytes_)).namelist() if not name.endswith(".json")])


@check
def fields_of_task_data_act(context):
    task = lambda **sent: data_of(made("/api/tasks", name=unique("data"), labels=labels)["id"], **sent)
    meta = lambda number: call("GET", f"/api/tasks/{number}/data/meta")[1]
    order = lambda number: [frame["name"] for frame in meta(number)["frames"]]
    names = [image.name for image in images]

    def from_disk(**sent):
        source = folder / unique("source")
        source.mkdir()
        for image in images:
            shutil.copy(image, source)
        number = made("/api/tasks", name=unique("disk"), labels=labels)["id"]
        finished(call("POST", f"/api/tasks/{number}/data", {"image_quality": 70, "server_files": [str(source)], **sent}))
        return source, number

    def copies():
        source, number = from_disk(copy_data=True)
        shutil.rmtree(source)
        return len(chunk(number, "type=frame&number=0&quality=original")) > 0

    def excludes():
        return meta(from_disk(server_files_exclude=[names[0]])[1])["size"] == len(names) - 1

    def zips_a_video():
        video = make_video(f"{unique('zips')}.mp4", 5, 4)
        made_task = new_task(context.client, unique("video"), [video], labels, {"use_zip_chunks": True})
        return files_in(chunk(made_task.id)) == 4

    truth = {"mode": "gt", "frame_selection_method": "manual", "frames": names[:1]}
    size = lambda quality: len(chunk(task(image_quality=quality)))
    effects = {
        "chunk_size": lambda: files_in(chunk(task(chunk_size=2))) == 2,
        "image_quality": lambda: size(5) < size(95),
        "start_frame": lambda: order(task(start_frame=1)) == names[1:],
        "stop_frame": lambda: order(task(stop_frame=1)) == names[:2],
        "frame_filter": lambda: order(task(frame_filter="step=2")) == names[::2],
        "sorting_method": lambda: any(order(task(sorting_method="random")) != names for _ in range(3)),
        "upload_file_order": lambda: order(task(sorting_method="predefined", upload_file_order=names[::-1])) == names[::-1],
        "job_file_mapping": lambda: ranges(task(job_file_mapping=[names[:2], names[2:]])) == [(0, 1), (2, 4)],
        "validation_params": lambda: len(ranges(task(validation_params=truth), ["ground_truth"])) == 1,
        "use_zip_chunks": zips_a_video,
        "server_files_exclude": excludes,
        "copy_data": copies,
    }
    expect_all("DataRequest", effects, [])


class Receiver:
    """Deliveries of webhooks, by the path of the address."""

    def __init__(self):
        received = self.received = {}

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.setdefault(self.path, []).append((self.headers, body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, path):
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def delivered(self, path, count=1):
        until = time.monotonic() + 30
        while len(self.received.get(path, [])) < count and time.monotonic() < until:
            time.sleep(0.05)
        return self.received.get(path, [])


@check
def fields_of_webhooks_act(_context):
    receiver = Receiver()
    project = made("/api/projects", name=unique("hooks"), labels=labels)["id"]

    def hook(path, **fields):
        default = {"type": "project", "project_id": project, "events": ["create:task"]}
        return made("/api/webhooks", target_url=receiver.address(path), **{**default, **fields})["id"]

    def signs():
        hook("/signed", secret="whsec_secret")
        made("/api/tasks", name=unique("t"), project_id=project)
        ((headers, body),) = receiver.delivered("/signed")
        digest = hmac.new(b"whsec_secret", body, hashlib.sha256).hexdigest()
        return headers["X-Signature-256"] == f"sha256={digest}"

    def is_silent():
        hook("/silent", is_active=False)
        hook("/loud")
        made("/api/tasks", name=unique("t"), project_id=project)
        return len(receiver.delivered("/loud")) == 1 and "/silent" not in receiver.received

    def hears_its_project():
        other = made("/api/projects", name=unique("hooks"), labels=labels)["id"]
        hook("/other", project_id=other)
        hook("/own")
        made("/api/tasks", name=unique("t"), project_id=other)
        made("/api/tasks", name=unique("t"), project_id=project)
        return [len(receiver.delivered(path)) for path in ("/other", "/own")] == [1, 1]

    effects = {
        "secret": signs,
        "is_active": is_silent,
        "project_id": hears_its_project,
        "description": lambda: has("/api/webhooks?search=weathercock", hook("/described", description="weathercock")),
    }
    expect_all("WebhookWriteRequest", effects, ["events", "target_url", "type"])


@check
def fields_of_quality_settings_act(context):
    task, _ = compared_task(context.client)
    settings = results(f"/api/quality/settings?task_id={task.id}")[0]["id"]

    def report(**fields):
        status, answer = call("PATCH", f"/api/quality/settings/{settings}", fields)
        expect(status, 200, answer)
        return call("GET", f"/api/quality/reports/{report_of(context.client, task_id=task.id)}")[1]

    def parameter(name, value):
        number = report(**{name: value})["id"]
        return call("GET", f"/api/quality/reports/{number}/data")[1]["parameters"][name] == value or "unchanged"

    def leaves_out():
        nothing = json.dumps({"==": [{"var": "id"}, 0]})
        excluded = report(job_filter=nothing)["summary"]["jobs"]["excluded"]
        return (excluded, report(job_filter="")["summary"]["jobs"]["excluded"]) == (1, 0)

    def of_the_project():
        project = made("/api/projects", name=unique("quality"), labels=labels)["id"]
        own = results(f"/api/quality/settings?project_id={project}")[0]["id"]
        call("PATCH", f"/api/quality/settings/{own}", {"max_validations_per_job": 7})
        mine = results(f"/api/quality/settings?task_id={task_with(project_id=project)}")[0]
        read = lambda: call("GET", f"/api/quality/settings/{mine['id']}")[1]["max_validations_per_job"]
        inherited = read()
        call("PATCH", f"/api/quality/settings/{mine['id']}", {"inherit": False, "max_validations_per_job": 2})
        changed = read()
        call("PATCH", f"/api/quality/settings/{mine['id']}", {"inherit": True})
        return (inherited, changed, read()) == (7, 2, 7)

    values = {
        "iou_threshold": 0.61,
        "line_thickness": 0.02,
        "group_match_threshold": 0.6,
        "oks_sigma": 0.07,
        "point_size_base": "image_size",
        "compare_line_orientation": False,
        "line_orientation_threshold": 0.2,
        "compare_groups": False,
        "check_covered_annotations": False,
        "object_visibility_threshold": 0.1,
        "panoptic_comparison": False,
        "compare_attributes": False,
        "empty_is_annotated": True,
    }
    effects = {name: (lambda n=name, v=value: parameter(n, v)) for name, value in values.items()}
    effects["job_filter"] = leaves_out
    effects["inherit"] = of_the_project
    if release != "2.73":
        item = {"name": "only cars", "filter": '{"==":[{"var":"label"},"car"]}'}
        names = lambda answer: [one["name"] for one in answer["summary"]["requirements"]["items"]]
        effects["requirements"] = lambda: "only cars" in names(report(requirements=[item]))
    expect_all("PatchedQualitySettingsRequest", effects, [])


run_signed_in()
