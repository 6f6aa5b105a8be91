"""What the scripts that use the client share: who signs in, five pictures, a folder, and what several of them make."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import cvat_sdk.auto_annotation as cvataa
from checks import run
from cvat_sdk import Client, Config, models
from cvat_sdk.version import VERSION
from cvat_sdk.core.proxies.tasks import ResourceType

url, user, password, image_folder, work_folder = sys.argv[1:6]
release = ".".join(VERSION.split(".")[:2])
"""Of cvat-sdk: 2.73 or 2.80. Both use the same service, at the same time."""
images = sorted(Path(image_folder).iterdir())
folder = Path(work_folder)
config = Config(status_check_period=0.1, cache_dir=folder / "cache")


def run_signed_in():
    """Runs the checks of a script with a client."""
    with Client(url, config=config) as client:
        client.login((user, password))
        run(SimpleNamespace(client=client))


def new_task(client, name, resources=images, labels=(), data=(), **spec):
    return client.tasks.create_from_data(
        spec={"name": name, **({"labels": list(labels)} if labels else {}), **spec},
        resource_type=ResourceType.LOCAL,
        resources=resources,
        data_params={"image_quality": 80, **dict(data)},
    )


def make_video(name, rate, frames):
    path = folder / name
    source = f"testsrc=size=64x48:rate={rate}:duration={frames / rate}"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, str(path)], check=True)
    return path


def shape(type, frame, label, points, **more):
    return models.LabeledShapeRequest(type=type, frame=frame, label_id=label.id, points=points, **more)


def skeleton_task(client):
    """A task with a label of a skeleton, and one to draw on its second picture."""
    points = [{"name": name, "type": "points"} for name in ("head", "foot")]
    task = new_task(client, "skeletons", labels=[{"name": "figure", "type": "skeleton", "sublabels": points}])
    (figure,) = task.get_labels()
    elements = [
        models.SubLabeledShapeRequest(type="points", frame=1, label_id=label.id, points=[10.5 + index, 20.0])
        for index, label in enumerate(figure.sublabels)
    ]
    return task, models.LabeledShapeRequest(type="skeleton", frame=1, label_id=figure.id, elements=elements)


def ground_truth_of(client, task, frames):
    request = models.JobWriteRequest(
        type="ground_truth", task_id=task.id, frame_selection_method="manual", frames=frames
    )
    job, _ = client.api_client.jobs_api.create(request)
    return job


def compared_task(client):
    """A task whose ground truth is one point, drawn three pixels to the right and four below."""
    task = new_task(client, "compared", labels=[{"name": "car"}, {"name": "bus"}])
    car = task.get_labels()[0]
    task.set_annotations(models.LabeledDataRequest(shapes=[shape("points", 0, car, [13.0, 14.0])]))
    truth = ground_truth_of(client, task, [0, 1])
    client.api_client.jobs_api.update_annotations(
        truth.id,
        labeled_data_request=models.LabeledDataRequest(shapes=[shape("points", 0, car, [10.0, 10.0])]),
    )
    finished = models.PatchedJobWriteRequest(stage="acceptance", state="completed")
    client.api_client.jobs_api.partial_update(truth.id, patched_job_write_request=finished)
    return task, truth


def report_of(client, **target):
    """The SDK's own type of this answer is the one of the earlier API, which made the report at once."""
    request = models.QualityReportCreateRequest(**target)
    api = client.api_client.quality_api
    _, response = api.create_report(quality_report_create_request=request, _parse_response=False)
    ended, _ = client.wait_for_completion(json.loads(response.data)["rq_id"])
    return ended.result_id


class Corner:
    """Finds a box in the corner of every picture."""

    spec = cvataa.DetectionFunctionSpec(labels=[cvataa.label_spec("car", 0, type="rectangle")])

    def detect(self, _context, image):
        return [cvataa.rectangle(0, [0, 0, image.width / 2, image.height / 4])]
