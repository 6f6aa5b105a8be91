"""Dataset adapters and auto-annotation of the unmodified cvat-sdk; `use_pytorch.py` has the adapter of PyTorch."""

import cvat_sdk.auto_annotation as cvataa
import PIL.Image
from checks import check, expect
from cvat_sdk import models
from cvat_sdk.datasets import MediaDownloadPolicy, TaskDataset, UpdatePolicy
from world import Corner, images, new_task, run_signed_in, shape


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
    labels = [{"name": "car"}, {"name": "person"}]
    task = new_task(context.client, "dataset", labels=labels, data={"chunk_size": 3})
    context.task = task
    car, person = task.get_labels()
    task.set_annotations(
        models.LabeledDataRequest(
            tags=[models.LabeledImageRequest(frame=2, label_id=person.id)],
            shapes=[shape("rectangle", 1, car, [1.0, 2.0, 3.5, 4.0]), shape("points", 4, car, [9.0, 9.0])],
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
    context.task.set_annotations(models.LabeledDataRequest(shapes=[shape("points", 0, car, [5.0, 5.0])]))
    cached = TaskDataset(context.client, context.task.id, update_policy=UpdatePolicy.NEVER)
    expect(shown(cached)[1][1], [[1.0, 2.0, 3.5, 4.0]])
    expect(shown(TaskDataset(context.client, context.task.id))[0], (0, [[5.0, 5.0]], 0))


@check
def auto_annotation(context):
    cvataa.annotate_task(context.client, context.task.id, Corner(), clear_existing=True)
    shapes = context.task.get_annotations().shapes
    expect(sorted(shape.frame for shape in shapes), [0, 1, 2, 4])
    expect({str(shape.source) for shape in shapes}, {"auto"})
    cvataa.annotate_task(context.client, context.task.id, Corner())
    expect(len(context.task.get_annotations().shapes), 8)


run_signed_in()
