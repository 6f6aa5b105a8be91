"""Dataset adapters and auto-annotation of the unmodified cvat-sdk; `use_pytorch.py` has the adapter of PyTorch."""

import sys
from pathlib import Path
from types import SimpleNamespace

import cvat_sdk.auto_annotation as cvataa
import PIL.Image
from checks import check, expect, run
from cvat_sdk import Client, Config, models
from cvat_sdk.core.proxies.tasks import ResourceType
from cvat_sdk.datasets import MediaDownloadPolicy, TaskDataset, UpdatePolicy

url, user, password, image_folder, work_folder = sys.argv[1:6]
images = sorted(Path(image_folder).iterdir())
config = Config(status_check_period=0.1, cache_dir=Path(work_folder) / "cache")


def same_picture(image, path):
    with PIL.Image.open(path) as original:
        expect(image.size, original.size)
        expect(image.convert("RGB").tobytes(), original.convert("RGB").tobytes())


def shown(dataset):
    return [
        (sample.frame_index, [list(shape.points) for shape in sample.annotations.shapes], len(sample.annotations.tags))
        for sample in dataset.samples
    ]


@check
def a_task_as_a_dataset(context):
    task = context.client.tasks.create_from_data(
        spec={"name": "dataset", "labels": [{"name": "car"}, {"name": "person"}]},
        resource_type=ResourceType.LOCAL,
        resources=images,
        data_params={"chunk_size": 3},
    )
    context.task = task
    car, person = task.get_labels()
    task.set_annotations(
        models.LabeledDataRequest(
            tags=[models.LabeledImageRequest(frame=2, label_id=person.id)],
            shapes=[
                models.LabeledShapeRequest(frame=1, label_id=car.id, type="rectangle", points=[1.0, 2.0, 3.5, 4.0]),
                models.LabeledShapeRequest(frame=4, label_id=car.id, type="points", points=[9.0, 9.0]),
            ],
        )
    )
    task.remove_frames_by_ids([3])
    dataset = TaskDataset(context.client, task.id)
    expect([label.name for label in dataset.labels], ["car", "person"])
    expect(shown(dataset), [(0, [], 0), (1, [[1.0, 2.0, 3.5, 4.0]], 0), (2, [], 1), (4, [[9.0, 9.0]], 0)])
    expect([sample.frame_name for sample in dataset.samples], [images[index].name for index in (0, 1, 2, 4)])
    for sample in dataset.samples:
        same_picture(sample.media.load_image(), images[sample.frame_index])


@check
def pictures_on_demand(context):
    for policy in (MediaDownloadPolicy.FETCH_FRAMES_ON_DEMAND, MediaDownloadPolicy.FETCH_CHUNKS_ON_DEMAND):
        dataset = TaskDataset(context.client, context.task.id, media_download_policy=policy, load_annotations=False)
        with dataset.iter_samples() as samples:
            for sample in samples:
                same_picture(sample.media.load_image(), images[sample.frame_index])


@check
def what_is_cached_follows_the_task(context):
    car = context.task.get_labels()[0]
    context.task.set_annotations(
        models.LabeledDataRequest(
            shapes=[models.LabeledShapeRequest(frame=0, label_id=car.id, type="points", points=[5.0, 5.0])]
        )
    )
    cached = TaskDataset(context.client, context.task.id, update_policy=UpdatePolicy.NEVER)
    expect(shown(cached)[1][1], [[1.0, 2.0, 3.5, 4.0]])
    expect(shown(TaskDataset(context.client, context.task.id))[0], (0, [[5.0, 5.0]], 0))


class Corner:
    """Finds a box in the corner of every picture."""

    spec = cvataa.DetectionFunctionSpec(labels=[cvataa.label_spec("car", 0, type="rectangle")])

    def detect(self, context, image):
        return [cvataa.rectangle(0, [0, 0, image.width / 2, image.height / 4])]


@check
def auto_annotation(context):
    cvataa.annotate_task(context.client, context.task.id, Corner(), clear_existing=True)
    shapes = context.task.get_annotations().shapes
    expect(sorted(shape.frame for shape in shapes), [0, 1, 2, 4])
    expect({str(shape.source) for shape in shapes}, {"auto"})
    cvataa.annotate_task(context.client, context.task.id, Corner())
    expect(len(context.task.get_annotations().shapes), 8)


with Client(url, config=config) as client:
    client.login((user, password))
    run(SimpleNamespace(client=client))
