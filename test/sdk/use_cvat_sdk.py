"""Does with the unmodified cvat-sdk what its users do: log in, make a task from local images, annotate, export."""

import json
import sys
import tempfile
import zipfile
from pathlib import Path

from cvat_sdk import Client, Config, models
from cvat_sdk.core.proxies.annotations import AnnotationUpdateAction
from cvat_sdk.core.proxies.tasks import ResourceType

url, user, password, image_folder = sys.argv[1:5]
images = sorted(Path(image_folder).iterdir())
seen = {}

with Client(url, config=Config(status_check_period=0.1)) as client:
    client.login((user, password))
    seen["version"] = str(client.get_server_version())
    seen["user"] = client.users.retrieve_current_user().username

    task = client.tasks.create_from_data(
        spec={
            "name": "made by cvat-sdk",
            "labels": [
                {"name": "car", "attributes": [
                    {"name": "parked", "mutable": True, "input_type": "checkbox", "default_value": "false", "values": []},
                ]},
                {"name": "person"},
            ],
            "segment_size": 2,
        },
        resource_type=ResourceType.LOCAL,
        resources=images,
        data_params={"image_quality": 90, "sorting_method": "natural"},
    )
    seen["task"] = {"id": task.id, "size": task.size, "mode": task.mode, "jobs": len(task.get_jobs())}
    seen["frames"] = [frame.name for frame in task.get_frames_info()]
    labels = {label.name: label for label in task.get_labels()}
    seen["labels"] = sorted(labels)
    attribute = labels["car"].attributes[0]

    def rectangle(frame, label, points, attributes=()):
        return models.LabeledShapeRequest(
            frame=frame,
            label_id=labels[label].id,
            type="rectangle",
            points=points,
            attributes=[models.AttributeValRequest(spec_id=spec, value=value) for spec, value in attributes],
        )

    task.set_annotations(
        models.LabeledDataRequest(
            shapes=[rectangle(0, "car", [10, 20, 30, 40], [(attribute.id, "true")])],
            tags=[models.LabeledImageRequest(frame=1, label_id=labels["person"].id)],
        )
    )
    task.update_annotations(
        models.PatchedLabeledDataRequest(shapes=[rectangle(2, "person", [1.5, 2.5, 3.5, 4.5])]),
        action=AnnotationUpdateAction.CREATE,
    )
    annotations = task.get_annotations()
    seen["shapes"] = [
        [shape.frame, shape.type.value, list(shape.points), [value.value for value in shape.attributes]]
        for shape in annotations.shapes
    ]
    seen["tags"] = [[tag.frame, tag.label_id == labels["person"].id] for tag in annotations.tags]

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        exported = {}
        for name in ("COCO 1.0", "CVAT for images 1.1", "YOLO 1.1", "Ultralytics YOLO Detection 1.0"):
            archive = folder / f"{name}.zip"
            task.export_dataset(name, archive, include_images=True)
            with zipfile.ZipFile(archive) as opened:
                exported[name] = sorted(opened.namelist())
        seen["exported"] = exported

        task.remove_annotations()
        seen["removed"] = len(task.get_annotations().shapes)
        task.import_annotations("COCO 1.0", folder / "COCO 1.0.zip")
        seen["imported"] = sorted(list(shape.points) for shape in task.get_annotations().shapes)

        # The client decodes what it downloads and saves it anew.
        task.download_frames([0, 2], outdir=folder, quality="original", filename_pattern="frame-{frame_id}{frame_ext}")
        seen["downloaded"] = sorted(path.name for path in folder.glob("frame-*"))
    seen["same_bytes"] = [
        task.get_frame(index, quality="original").read() == images[index].read_bytes() for index in (0, 2)
    ]

    job = task.get_jobs()[0]
    job.update({"state": "completed"})
    job.fetch()
    seen["state"] = str(job.state)
    task.remove()

    # Replicas of a job, annotated apart and merged into it.
    task = client.tasks.create_from_data(
        spec={"name": "seen by two", "labels": [{"name": "car"}], "consensus_replicas": 2},
        resource_type=ResourceType.LOCAL,
        resources=images[:1],
    )
    labels = {label.name: label for label in task.get_labels()}
    jobs = task.get_jobs()
    seen["replicas"] = {
        "enabled": task.consensus_enabled,
        "jobs": sorted([str(job.type), job.parent_job_id is not None, job.replicas_count] for job in jobs),
    }
    for job in jobs:
        if str(job.type) == "consensus_replica":
            job.update_annotations(
                models.PatchedLabeledDataRequest(shapes=[rectangle(0, "car", [10, 20, 30, 40])]),
                action=AnnotationUpdateAction.CREATE,
            )
    settings = client.api_client.consensus_api.list_settings(task_id=task.id)[0].results[0]
    client.api_client.consensus_api.partial_update_settings(
        settings.id, patched_consensus_settings_request=models.PatchedConsensusSettingsRequest(iou_threshold=0.6)
    )
    seen["replicas"]["overlap"] = client.api_client.consensus_api.retrieve_settings(settings.id)[0].iou_threshold
    started = client.api_client.consensus_api.create_merge(
        consensus_merge_create_request=models.ConsensusMergeCreateRequest(task_id=task.id)
    )[0]
    request, _ = client.wait_for_completion(started.rq_id)
    merged = task.get_annotations().shapes
    seen["replicas"]["merged"] = [[str(shape.source), list(shape.points), shape.score] for shape in merged]
    seen["replicas"]["request"] = str(request.operation.type)
    task.remove()
    seen["left"] = len(client.tasks.list())

print(json.dumps(seen))
