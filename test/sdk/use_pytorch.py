"""The PyTorch adapter of the unmodified cvat-sdk over images, projects, videos, skeletons and ground truths."""

from functools import partial

import torch_stand_in
import world
from checks import check, expect
from cvat_sdk import models
from world import ground_truth_of, images, make_video, run_signed_in, shape, skeleton_task

torch_stand_in.install()
import cvat_sdk.pytorch as cvatpt  # noqa: E402
import PIL.Image  # noqa: E402

new_task = partial(world.new_task, data={"chunk_size": 2})


def pixels(image):
    return image.convert("RGB").tobytes()


@check
def a_task_of_images(context):
    task = new_task(context.client, "images", labels=[{"name": "car"}, {"name": "person"}])
    car, person = task.get_labels()
    task.set_annotations(
        models.LabeledDataRequest(
            tags=[models.LabeledImageRequest(frame=0, label_id=person.id)],
            shapes=[
                shape("rectangle", 1, car, [1.0, 2.0, 3.5, 4.0]),
                shape("polygon", 1, person, [10.0, 10.0, 20.0, 10.0, 20.0, 30.0]),
                shape("mask", 2, car, [0.0, 4.0, 5.0, 6.0, 6.0, 7.0]),
            ],
        )
    )
    task.remove_frames_by_ids([3])
    dataset = cvatpt.TaskVisionDataset(context.client, task.id, label_name_to_index={"car": 7, "person": 9})
    expect(len(dataset), 4)
    for index, frame in enumerate((0, 1, 2, 4)):
        image, target = dataset[index]
        with PIL.Image.open(images[frame]) as original:
            expect(pixels(image), pixels(original))
            expect(target.image_size, original.size)
        expect(dict(target.label_id_to_index), {car.id: 7, person.id: 9})

    def extracted(transform, index):
        chosen = cvatpt.TaskVisionDataset(context.client, task.id, target_transform=transform)
        return chosen[index][1]

    expect(int(extracted(cvatpt.ExtractSingleLabelIndex(), 0)), 1)
    boxes = extracted(cvatpt.ExtractBoundingBoxes(include_shape_types={"rectangle", "polygon"}), 1)
    expect(boxes["boxes"].tolist(), [[1, 2, 3.5, 4], [10, 10, 20, 30]])
    expect(boxes["labels"].tolist(), [0, 1])
    masks = extracted(cvatpt.ExtractInstanceMasks(include_shape_types={"mask"}), 2)
    expect(masks["masks"][0][6:8, 5:7].tolist(), [[1, 1], [1, 1]])
    expect(int(masks["masks"].sum()), 4)


@check
def a_project_by_its_subsets(context):
    project = context.client.projects.create(models.ProjectWriteRequest("project", labels=[{"name": "car"}]))
    for subset, chosen in (("train", images[:3]), ("val", images[3:])):
        new_task(context.client, subset, chosen, project_id=project.id, subset=subset)
    whole = cvatpt.ProjectVisionDataset(context.client, project.id)
    expect(len(whole), 5)
    part = cvatpt.ProjectVisionDataset(context.client, project.id, include_subsets={"val"})
    with PIL.Image.open(images[3]) as original:
        expect((len(part), pixels(part[0][0])), (2, pixels(original)))


@check
def a_video_is_refused_and_not_taken_for_pictures(context):
    task = new_task(context.client, "a video", [make_video("clip.mp4", 5, 5)], [{"name": "car"}])
    try:
        cvatpt.TaskVisionDataset(context.client, task.id)
    except cvatpt.UnsupportedDatasetError:
        return
    raise AssertionError("a video was taken for pictures")


@check
def skeletons_are_in_the_target(context):
    task, figure = skeleton_task(context.client)
    task.set_annotations(models.LabeledDataRequest(shapes=[figure]))
    _image, target = cvatpt.TaskVisionDataset(context.client, task.id)[1]
    (read,) = target.annotations.shapes
    expect([list(element.points) for element in read.elements], [[10.5, 20.0], [11.5, 20.0]])


@check
def the_ground_truth_of_a_task_is_not_among_its_annotations(context):
    task = new_task(context.client, "truth", labels=[{"name": "car"}])
    (car,) = task.get_labels()
    job = ground_truth_of(context.client, task, [1])
    context.client.jobs.retrieve(job.id).set_annotations(
        models.LabeledDataRequest(shapes=[shape("rectangle", 1, car, [1.0, 1.0, 9.0, 9.0])])
    )
    task.set_annotations(models.LabeledDataRequest(shapes=[shape("rectangle", 1, car, [2.0, 2.0, 8.0, 8.0])]))
    dataset = cvatpt.TaskVisionDataset(context.client, task.id)
    expect([[list(one.points) for one in target.annotations.shapes] for _image, target in dataset_of(dataset)][1], [[2, 2, 8, 8]])
    expect(len(dataset), 5)


def dataset_of(dataset):
    return [dataset[index] for index in range(len(dataset))]


run_signed_in()
