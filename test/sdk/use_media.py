"""Videos, skeletons and ground truths by the unmodified cvat-sdk."""

import io
import json
import subprocess
import zipfile

import cvat_sdk.auto_annotation as cvataa
import PIL.Image
from checks import check, expect
from cvat_sdk import models
from cvat_sdk.core.proxies.annotations import AnnotationUpdateAction
from cvat_sdk.datasets import MediaDownloadPolicy, TaskDataset, UnsupportedDatasetError
from world import (
    Corner,
    folder,
    ground_truth_of,
    images,
    make_video,
    new_task,
    release,
    run_signed_in,
    shape,
    skeleton_task,
)

frame_count = 12


def objects_of(target):
    """Shapes and tracks without their ids."""
    data = target.get_annotations().to_dict()

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(one) for key, one in value.items() if key not in ("id", "source", "label_id", "version")}
        return [plain(one) for one in value] if isinstance(value, list) else value

    return plain({kind: data[kind] for kind in ("shapes", "tracks")})


def goes_out_and_comes_back(target, format, importer):
    """By a file of annotations, and whole as a backup where it is a task."""
    before = objects_of(target)
    expect(bool(before["shapes"] or before["tracks"]), True)
    archive = folder / f"{type(target).__name__} {target.id} {format}.zip"
    target.export_dataset(format, archive, include_images=False)
    target.remove_annotations()
    target.import_annotations(importer, archive)
    expect(objects_of(target), before, format)
    return before


def comes_back_from_a_backup(context, task):
    archive = folder / f"backup of {task.id}.zip"
    task.download_backup(archive)
    restored = context.client.tasks.create_from_backup(archive)
    expect((restored.size, restored.mode, restored.validation_mode), (task.size, task.mode, task.validation_mode))
    expect(objects_of(restored), objects_of(task), "restored")
    return restored


@check
def a_video_is_described_once_and_its_chunks_are_videos(context):
    video = make_video("clip.mp4", 25, frame_count)
    task = new_task(context.client, "a video", [video], [{"name": "car"}], {"chunk_size": 8})
    context.video = task
    expect((task.size, task.mode), (frame_count, "interpolation"))
    expect(str(task.data_original_chunk_type), "video")
    expect(str(task.data_compressed_chunk_type), "video")
    meta = task.get_meta()
    expect([(frame.name, frame.width, frame.height) for frame in meta.frames], [("clip.mp4", 64, 48)])
    expect(meta.chapters, [])
    for quality in ("original", "compressed"):
        for number, frames in ((0, 8), (1, 4)):
            _, response = context.client.api_client.tasks_api.retrieve_data(
                task.id, type="chunk", number=number, quality=quality, _parse_response=False
            )
            expect(response.headers["Content-Type"], "video/mp4")
            chunk = folder / "chunk.mp4"
            chunk.write_bytes(response.data)
            counted = subprocess.run(
                ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", chunk],
                check=True,
                capture_output=True,
                text=True,
            )
            expect(int(counted.stdout.strip().strip(",")), frames, quality)


@check
def a_video_is_a_dataset_frame_by_frame_only(context):
    try:
        TaskDataset(context.client, context.video.id)
    except UnsupportedDatasetError:
        pass
    else:
        raise AssertionError("chunks of a video were taken for pictures")
    dataset = TaskDataset(
        context.client, context.video.id, media_download_policy=MediaDownloadPolicy.FETCH_FRAMES_ON_DEMAND
    )
    expect(len(dataset.samples), frame_count)
    expect({sample.frame_name for sample in dataset.samples}, {"clip.mp4"})
    expect(dataset.samples[3].media.load_image().size, (64, 48))


@check
def tracks_of_a_video_go_out_and_come_back(context):
    task = context.video
    (car,) = task.get_labels()
    places = [
        models.TrackedShapeRequest(frame=frame, type="rectangle", points=[x, 5.0, x + 10, 15.0], outside=outside)
        for frame, x, outside in ((0, 1.0, False), (6, 13.0, False), (9, 13.0, True))
    ]
    task.set_annotations(
        models.LabeledDataRequest(tracks=[models.LabeledTrackRequest(frame=0, label_id=car.id, shapes=places)])
    )
    before = goes_out_and_comes_back(task, "CVAT for video 1.1", "CVAT 1.1")
    expect([(shape["frame"], shape["outside"]) for shape in before["tracks"][0]["shapes"]], [(0, False), (6, False), (9, True)])
    task.download_frames([3, 11], outdir=folder, quality="original", filename_pattern="of-a-video-{frame_id}{frame_ext}")
    expect({PIL.Image.open(path).size for path in folder.glob("of-a-video-*")}, {(64, 48)})
    restored = comes_back_from_a_backup(context, task)
    expect(restored.get_frame(11, quality="original").read(), task.get_frame(11, quality="original").read())


@check
def functions_of_the_client_take_no_video_and_change_nothing(context):
    before = objects_of(context.video)
    try:
        cvataa.annotate_task(context.client, context.video.id, Corner(), clear_existing=True)
    except UnsupportedDatasetError:
        expect(objects_of(context.video), before)
    else:
        raise AssertionError("the client reads chunks of pictures only")


@check
def compressed_chunks_of_a_video_are_pictures_where_that_is_wanted(context):
    data = {"chunk_size": 8, "use_zip_chunks": True}
    task = new_task(context.client, "zipped", [folder / "clip.mp4"], [{"name": "car"}], data)
    expect(str(task.data_compressed_chunk_type), "imageset")
    _, response = context.client.api_client.tasks_api.retrieve_data(
        task.id, type="chunk", number=1, quality="compressed", _parse_response=False
    )
    with zipfile.ZipFile(io.BytesIO(response.data)) as chunk:
        expect(sorted(chunk.namelist()), [f"{index:06}.jpeg" for index in range(4)])


@check
def skeletons_are_written_by_an_update_and_read(context):
    task, figure = skeleton_task(context.client)
    task.update_annotations(models.PatchedLabeledDataRequest(shapes=[figure]))
    (read,) = task.get_annotations().shapes
    expect([list(element.points) for element in read.elements], [[10.5, 20.0], [11.5, 20.0]])
    # What is there goes back as it came, with its ids.
    task.update_annotations(models.PatchedLabeledDataRequest(shapes=[models.LabeledShapeRequest._from_openapi_data(**read.to_dict())]))
    expect(len(task.get_annotations().shapes), 1)
    goes_out_and_comes_back(task, "CVAT for images 1.1", "CVAT 1.1")
    goes_out_and_comes_back(task, "COCO Keypoints 1.0", "COCO Keypoints 1.0")
    comes_back_from_a_backup(context, task)


@check
def a_ground_truth_has_its_own_frames_and_all_numbers(context):
    task = new_task(context.client, "truth", labels=[{"name": "car"}])
    api = context.client.api_client.jobs_api
    job = ground_truth_of(context.client, task, [1, 3])
    meta, _ = api.retrieve_data_meta(job.id)
    expect([frame.name == "placeholder.jpg" for frame in meta.frames], [True, False, True, False, True])
    expect(list(meta.included_frames), [1, 3])
    _, response = api.retrieve_data(job.id, type="chunk", number=0, quality="original", _parse_response=False)
    with zipfile.ZipFile(io.BytesIO(response.data)) as chunk:
        sizes = [PIL.Image.open(io.BytesIO(chunk.read(name))).size for name in sorted(chunk.namelist())]
    expect([size == (1, 1) for size in sizes], [True, False, True, False, True])
    expect(context.client.tasks.retrieve(task.id).validation_mode, "gt")
    context.truth = (task, context.client.jobs.retrieve(job.id))


@check
def a_ground_truth_is_annotated_and_taken_along_apart_from_its_task(context):
    task, truth = context.truth
    (car,) = task.get_labels()

    def box(x):
        return models.LabeledDataRequest(shapes=[shape("rectangle", 3, car, [x, 1.0, 9.0, 9.0])])

    truth.set_annotations(box(2.0))
    task.set_annotations(box(1.0))
    goes_out_and_comes_back(truth, "CVAT for images 1.1", "CVAT 1.1")
    goes_out_and_comes_back(task, "COCO 1.0", "COCO 1.0")
    # A function that annotates the task leaves the truth alone.
    cvataa.annotate_task(context.client, task.id, Corner(), clear_existing=True)
    expect([list(shape.points) for shape in truth.get_annotations().shapes], [[2, 1, 9, 9]])
    task.fetch()
    restored = comes_back_from_a_backup(context, task)
    (kept,) = [job for job in restored.get_jobs() if str(job.type) == "ground_truth"]
    expect(list(kept.get_meta().included_frames), [1, 3])
    expect(objects_of(kept), objects_of(truth))


@check
def a_task_to_which_images_were_added_is_read_annotated_and_exported(context):
    api = context.client.api_client
    task = new_task(context.client, "grown", resources=images[:3], labels=[{"name": "car"}], segment_size=2)
    (car,) = task.get_labels()
    task.set_annotations(models.LabeledDataRequest(shapes=[shape("rectangle", 1, car, [1.0, 1.0, 9.0, 9.0])]))
    url = f"{api.configuration.host}/api/limner/tasks/{task.id}/images/"
    token = api.cookies["csrftoken"].value
    headers = {**api.get_common_headers(), "Content-Type": "application/json", "X-CSRFToken": token}
    body = {"server_files": [str(path) for path in images[1:]]}
    response = api.rest_client.POST(url, headers=headers, body=body)
    context.client.wait_for_completion(json.loads(response.data)["rq_id"])
    task.fetch()
    expect(task.size, len(images))
    expect(sorted((job.start_frame, job.stop_frame) for job in task.get_jobs()), [(0, 1), (2, 3), (4, 4)])
    names = [frame.name for frame in task.get_frames_info()]
    expect(names, [path.name for path in images])
    for number, path in enumerate(images):
        expect(task.get_frame(number, quality="original").read(), path.read_bytes(), path.name)
    added = models.LabeledDataRequest(shapes=[shape("rectangle", 4, car, [2.0, 2.0, 9.0, 9.0])])
    task.update_annotations(models.PatchedLabeledDataRequest(shapes=added.shapes), action=AnnotationUpdateAction.CREATE)
    expect([one.frame for one in task.get_annotations().shapes], [1, 4])
    expect([sample.frame_index for sample in TaskDataset(context.client, task.id).samples], list(range(len(images))))
    goes_out_and_comes_back(task, "COCO 1.0", "COCO 1.0")
    comes_back_from_a_backup(context, task)
    body = {"server_files": [str(make_video(f"added-{release}.mp4", 10, 5))], "every": 2}
    response = api.rest_client.POST(url, headers=headers, body=body)
    context.client.wait_for_completion(json.loads(response.data)["rq_id"])
    names = [frame.name for frame in task.get_frames_info()][len(images) :]
    expect(names, [f"added-{release}_{number:06}.jpg" for number in (0, 2, 4)])
    samples = TaskDataset(context.client, task.id).samples
    expect(samples[-1].media.load_image().size, (64, 48))


run_signed_in()
