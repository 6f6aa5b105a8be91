"""The high-level proxies of the unmodified cvat-sdk: projects, tasks, jobs, labels, issues, comments and more."""

import io
import json
import zipfile

import PIL.Image
from checks import check, expect
from cvat_sdk import Client, models
from cvat_sdk.api_client import exceptions
from cvat_sdk.core.client import AccessTokenCredentials
from cvat_sdk.core.proxies.annotations import AnnotationUpdateAction
from cvat_sdk.core.proxies.tasks import ResourceType
from world import (
    config,
    folder,
    ground_truth_of,
    images,
    make_video,
    new_task,
    password,
    release,
    run_signed_in,
    shape,
    url,
    user,
)


def car_labels():
    return [
        models.PatchedLabelRequest(
            name="car",
            color="#ff00aa",
            attributes=[
                models.AttributeRequest(
                    name="model", mutable=False, input_type="select", default_value="a", values=["a", "b"]
                )
            ],
        ),
        models.PatchedLabelRequest(name="person"),
    ]


def rectangle(frame, label, points, **rest):
    return shape("rectangle", frame, label, points, **rest)


train = f"train {release}"


def jobs_of(task):
    return sorted(task.get_jobs(), key=lambda job: job.id)


def fails(expected, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except expected as error:
        return error
    raise AssertionError(f"{function} did not fail")


@check
def login_with_password_and_logout(context):
    with Client(url, config=config) as client:
        assert str(client.get_server_version()).startswith(release)
        fails(exceptions.ApiException, client.login, (user, "wrong"))
        client.login((user, password))
        assert client.has_credentials()
        expect(client.users.retrieve_current_user().username, user)
        client.logout()
        fails(exceptions.ApiException, client.users.retrieve_current_user)


@check
def login_with_an_access_token(context):
    token, _ = context.client.api_client.auth_api.create_access_tokens(
        models.AccessTokenWriteRequest(name="for the sdk", read_only=False)
    )
    with Client(url, config=config) as client:
        client.login(AccessTokenCredentials(token.value))
        expect(client.users.retrieve_current_user().username, user)
        current, _ = client.api_client.auth_api.retrieve_access_tokens_self()
        expect(current.name, "for the sdk")
        project = client.projects.create(models.ProjectWriteRequest(name="made with a token"))
        project.remove()
    readable, _ = context.client.api_client.auth_api.create_access_tokens(
        models.AccessTokenWriteRequest(name="may only read", read_only=True)
    )
    with Client(url, config=config) as client:
        client.login(AccessTokenCredentials(readable.value))
        client.projects.list()
        fails(exceptions.ForbiddenException, client.projects.create, models.ProjectWriteRequest(name="no"))
    context.client.api_client.auth_api.destroy_access_tokens(token.id)


@check
def projects(context):
    client = context.client
    project = client.projects.create(models.ProjectWriteRequest(name="streets", labels=car_labels()))
    context.project = project
    expect([label.name for label in project.get_labels()], ["car", "person"])
    project.update(models.PatchedProjectWriteRequest(name="wide streets", bug_tracker="https://example.org/1"))
    expect((project.name, project.bug_tracker), ("wide streets", "https://example.org/1"))
    expect(client.projects.retrieve(project.id).owner.username, user)
    expect([one.id for one in client.projects.list(name="wide streets")], [project.id])
    expect(len(json.loads(client.projects.list(return_json=True, search="wide"))), 1)
    expect(project.get_tasks(), [])
    fails(exceptions.NotFoundException, client.projects.retrieve, 10**6)


@check
def labels_of_a_project(context):
    client, project = context.client, context.project
    car = project.get_labels()[0]
    expect((car.color, car.attributes[0].name, car.project_id), ("#ff00aa", "model", project.id))
    changed, _ = client.api_client.labels_api.partial_update(
        car.id, patched_label_request=models.PatchedLabelRequest(name="car", color="#00ff00")
    )
    expect(changed.color, "#00ff00")
    project.update(models.PatchedProjectWriteRequest(labels=[models.PatchedLabelRequest(name="bird")]))
    bird = next(label for label in project.get_labels() if label.name == "bird")
    client.api_client.labels_api.destroy(bird.id)
    expect([label.name for label in project.get_labels()], ["car", "person"])


@check
def tasks_from_local_images(context):
    client = context.client
    task = client.tasks.create_from_data(
        spec=models.TaskWriteRequest(name="first", project_id=context.project.id, segment_size=3, subset=train),
        resource_type=ResourceType.LOCAL,
        resources=images,
        data_params={"image_quality": 80, "sorting_method": "natural", "chunk_size": 2},
    )
    context.task = task
    expect((task.size, task.mode, task.subset, task.project_id), (5, "annotation", train, context.project.id))
    expect(task.data_chunk_size, 2)
    expect([frame.name for frame in task.get_frames_info()], [image.name for image in images])
    expect([(job.start_frame, job.stop_frame) for job in jobs_of(task)], [(0, 2), (3, 4)])
    context.project.fetch()
    expect(list(context.project.task_subsets), [train])
    expect([one.id for one in context.project.get_tasks()], [task.id])
    expect([one.id for one in client.tasks.list(subset=train)], [task.id])
    by_filter = client.tasks.list(filter=json.dumps({"and": [{"==": [{"var": "name"}, "first"]}, {"==": [{"var": "subset"}, train]}]}))
    expect([one.id for one in by_filter], [task.id])
    task.update(models.PatchedTaskWriteRequest(name="the first"))
    expect(client.tasks.retrieve(task.id).name, "the first")
    fails(exceptions.ApiException, task.upload_data, images, resource_type=ResourceType.LOCAL)


@check
def frames_chunks_and_previews(context):
    task = context.task
    expect(task.get_frame(1, quality="original").read(), images[1].read_bytes())
    expect(PIL.Image.open(task.get_frame(0, quality="compressed")).format, "JPEG")
    chunk = io.BytesIO()
    task.download_chunk(1, chunk, quality="original")
    with zipfile.ZipFile(chunk) as opened:
        expect(len(opened.namelist()), 2)
    assert PIL.Image.open(task.get_preview()).width > 0
    assert PIL.Image.open(context.project.get_preview()).width > 0
    assert PIL.Image.open(jobs_of(task)[0].get_preview()).width > 0
    paths = task.download_frames([0, 4], outdir=folder, quality="original", filename_pattern="f{frame_id}{frame_ext}")
    assert paths is None or len(paths) == 2
    expect(sorted(path.name for path in folder.glob("f*")), ["f0.jpg", "f4.jpg"])
    job = jobs_of(task)[1]
    expect(job.get_frame(3, quality="original").read(), images[3].read_bytes())
    fails(exceptions.ApiException, job.get_frame, 0, quality="original")


@check
def chunks_of_videos(context):
    data = {"chunk_size": 8, "use_zip_chunks": True}
    task = new_task(context.client, "a video", [make_video("video.mp4", 10, 20)], [{"name": "car"}], data)
    expect(task.size, 20)
    jobs_api = context.client.api_client.jobs_api
    chunk = io.BytesIO()
    task.download_chunk(2, chunk, quality="compressed")
    _, answer = jobs_api.retrieve_data(
        jobs_of(task)[0].id, type="chunk", number=2, quality="compressed", _parse_response=False
    )
    expect(answer.data, chunk.getvalue())
    with zipfile.ZipFile(chunk) as opened:
        images_of_chunk = [PIL.Image.open(io.BytesIO(opened.read(name))) for name in opened.namelist()]
    expect([(image.format, image.size) for image in images_of_chunk], [("JPEG", (64, 48))] * 4)
    task.remove()


@check
def deleted_frames(context):
    task = context.task
    task.remove_frames_by_ids([2])
    expect(list(task.get_meta().deleted_frames), [2])
    expect(list(jobs_of(task)[0].get_meta().deleted_frames), [2])
    jobs_of(task)[1].remove_frames_by_ids([4])
    expect(list(task.get_meta().deleted_frames), [2, 4])
    task.remove_frames_by_ids([])
    expect(list(task.get_meta().deleted_frames), [])


@check
def annotations_set_update_remove(context):
    task = context.task
    car, person = task.get_labels()
    spec = car.attributes[0].id
    value = models.AttributeValRequest(spec_id=spec, value="b")
    task.set_annotations(
        models.LabeledDataRequest(
            shapes=[rectangle(0, car, [1.5, 2.25, 30, 40.125], attributes=[value], z_order=2, occluded=True)],
            tags=[models.LabeledImageRequest(frame=1, label_id=person.id)],
            tracks=[
                models.LabeledTrackRequest(
                    frame=0,
                    label_id=person.id,
                    shapes=[
                        models.TrackedShapeRequest(frame=0, type="polygon", points=[0, 0, 9, 0, 9, 9]),
                        models.TrackedShapeRequest(frame=2, type="polygon", points=[1, 1, 9, 1, 9, 9], outside=True),
                    ],
                )
            ],
        )
    )
    stored = task.get_annotations()
    expect([list(shape.points) for shape in stored.shapes], [[1.5, 2.25, 30, 40.125]])
    expect([(v.spec_id, v.value) for v in stored.shapes[0].attributes], [(spec, "b")])
    expect((stored.shapes[0].z_order, stored.shapes[0].occluded, len(stored.tracks)), (2, True, 1))
    expect([(tag.frame, tag.label_id) for tag in stored.tags], [(1, person.id)])

    task.update_annotations(
        models.PatchedLabeledDataRequest(shapes=[rectangle(4, person, [5, 5, 6, 6])]), action=AnnotationUpdateAction.CREATE
    )
    created = next(shape for shape in task.get_annotations().shapes if shape.frame == 4)
    task.update_annotations(
        models.PatchedLabeledDataRequest(shapes=[rectangle(4, car, [7, 7, 8, 8], id=created.id)]),
        action=AnnotationUpdateAction.UPDATE,
    )
    job = jobs_of(task)[1]
    changed = job.get_annotations().shapes
    expect([(list(shape.points), shape.label_id) for shape in changed], [([7, 7, 8, 8], car.id)])
    job.remove_annotations(ids=[changed[0].id])
    expect(list(job.get_annotations().shapes), [])
    bad = models.PatchedLabeledDataRequest(shapes=[rectangle(0, car, [1, 2, 3])])
    error = fails(exceptions.ApiException, task.update_annotations, bad, action=AnnotationUpdateAction.CREATE)
    expect(error.status, 400)
    assert "points" in error.body.decode() if isinstance(error.body, bytes) else "points" in error.body


@check
def annotations_of_every_type(context):
    checkbox = {"name": "parked", "mutable": True, "input_type": "checkbox", "default_value": "false", "values": []}
    labels = [
        {"name": "thing", "attributes": [checkbox]},
        {
            "name": "body",
            "type": "skeleton",
            "sublabels": [{"name": "head", "type": "points"}, {"name": "foot", "type": "points"}],
            "svg": "<circle cx='1' cy='1' r='1' data-label-name='head'/>",
        },
    ]
    task = new_task(context.client, "all types", images[:2], labels)
    thing, body = task.get_labels()
    parked = [models.AttributeValRequest(spec_id=thing.attributes[0].id, value="true")]
    points = {
        "rectangle": [0, 0, 5, 5],
        "polygon": [0, 0, 5, 0, 5, 5],
        "polyline": [0, 0, 5, 0],
        "points": [1, 1],
        "ellipse": [5, 5, 9, 2],
        "cuboid": list(range(16)),
        "mask": [1, 2, 1, 0, 0, 1, 1],
    }
    shapes = [shape(name, 0, thing, values, attributes=parked) for name, values in points.items()]
    elements = [
        models.SubLabeledShapeRequest(frame=0, label_id=part.id, type="points", points=[index, index])
        for index, part in enumerate(body.sublabels)
    ]
    shapes.append(models.LabeledShapeRequest(frame=0, label_id=body.id, type="skeleton", elements=elements))
    task.set_annotations(models.LabeledDataRequest(shapes=shapes))
    stored = task.get_annotations().shapes
    expect({str(shape.type): list(shape.points) for shape in stored if str(shape.type) != "skeleton"}, points)
    expect([value.value for one in stored for value in one.attributes], ["true"] * len(points))
    skeleton = next(shape for shape in stored if str(shape.type) == "skeleton")
    expect([list(element.points) for element in skeleton.elements], [[0, 0], [1, 1]])
    task.remove()


@check
def annotations_by_file(context):
    task = context.task
    car, _ = task.get_labels()
    shapes = [rectangle(frame, car, [frame, 1, 20, 30]) for frame in range(5)]
    task.set_annotations(models.LabeledDataRequest(shapes=shapes))
    for name in ("COCO 1.0", "CVAT for images 1.1", "YOLO 1.1", "Ultralytics YOLO Detection 1.0"):
        pictured = folder / f"{name} with pictures.zip"
        task.export_dataset(name, pictured, include_images=True)
        with zipfile.ZipFile(pictured) as opened:
            entries = opened.namelist()
        for image in images:
            assert any(entry.endswith(f"/{image.name}") for entry in entries), f"{name}: {image.name}"
        archive = folder / f"{name} annotations.zip"
        task.export_dataset(name, archive, include_images=False)
        task.remove_annotations()
        expect(len(task.get_annotations().shapes), 0)
        task.import_annotations("CVAT 1.1" if name.startswith("CVAT") else name, archive)
        read = sorted([round(value, 2) for value in one.points] for one in task.get_annotations().shapes)
        expect(read, [[frame, 1, 20, 30] for frame in range(5)], name)
    job = jobs_of(task)[0]
    job.export_dataset("COCO 1.0", folder / "job.zip", include_images=False)
    job.remove_annotations()
    job.import_annotations("COCO 1.0", folder / "job.zip")
    expect(len(job.get_annotations().shapes), 3)
    fails(exceptions.ApiException, task.export_dataset, "No such format", folder / "never.zip")


@check
def task_with_annotations_from_a_file(context):
    task = context.client.tasks.create_from_data(
        spec={"name": "with annotations", "project_id": context.project.id},
        resource_type=ResourceType.LOCAL,
        resources=images,
        annotation_path=str(folder / "COCO 1.0 annotations.zip"),
        annotation_format="COCO 1.0",
    )
    expect(len(task.get_annotations().shapes), 5)
    task.remove()
    fails(exceptions.NotFoundException, task.fetch)


@check
def jobs(context):
    client, task = context.client, context.task
    job = jobs_of(task)[0]
    listed = client.jobs.list(task_id=task.id, stage="annotation", sort="id")
    expect([one.id for one in listed], [one.id for one in jobs_of(task)])
    job.update({"assignee": client.users.retrieve_current_user().id})
    expect(job.assignee.username, user)
    job.update({"stage": "validation"})
    expect((str(job.stage), str(job.state), str(job.status)), ("validation", "new", "validation"))
    job.update({"stage": "acceptance", "state": "completed"})
    expect((str(job.state), str(job.status)), ("completed", "completed"))
    expect([label.name for label in job.get_labels()], ["car", "person"])
    expect(len(job.get_frames_info()), 3)
    expect(client.jobs.retrieve(job.id).task_id, task.id)


@check
def ground_truth_jobs(context):
    client, task = context.client, context.task
    job = ground_truth_of(client, task, [1, 3])
    expect((str(job.type), job.frame_count), ("ground_truth", 2))
    meta, _ = client.api_client.jobs_api.retrieve_data_meta(job.id)
    expect(list(meta.included_frames), [1, 3])
    layout, _ = client.api_client.tasks_api.retrieve_validation_layout(task.id)
    expect((str(layout.mode), list(layout.validation_frames)), ("gt", [1, 3]))
    client.api_client.jobs_api.destroy(job.id)


@check
def replicas_of_a_job_are_merged_into_it(context):
    client = context.client
    # Since 2.74 the fields and the type of the jobs have other names.
    is_new = release != "2.73"
    field, name = ("initial_replicas", "replica") if is_new else ("consensus_replicas", "consensus_replica")
    task = new_task(client, "seen by two", images[:1], [{"name": "car"}], **{field: 2})
    (car,) = task.get_labels()
    expect(task.initial_replicas if is_new else task.consensus_enabled, 2 if is_new else True)
    expect(len(client.jobs.list(task_id=task.id, type=name)), 2)
    by_filter = json.dumps({"and": [{"==": [{"var": "type"}, name]}, {"==": [{"var": "task_id"}, task.id]}]})
    expect(len(client.jobs.list(filter=by_filter)), 2)
    replica = [name, True, 0]
    kinds = sorted([str(job.type), job.parent_job_id is not None, job.replicas_count] for job in task.get_jobs())
    expect(kinds, [["annotation", False, 2], replica, replica])
    for job in task.get_jobs():
        if str(job.type) == name:
            drawn = models.PatchedLabeledDataRequest(shapes=[rectangle(0, car, [10, 20, 30, 40])])
            job.update_annotations(drawn, action=AnnotationUpdateAction.CREATE)
    api = client.api_client.consensus_api
    settings = api.list_settings(task_id=task.id)[0].results[0]
    api.partial_update_settings(
        settings.id, patched_consensus_settings_request=models.PatchedConsensusSettingsRequest(iou_threshold=0.6)
    )
    expect(api.retrieve_settings(settings.id)[0].iou_threshold, 0.6)
    merge = models.ConsensusMergeCreateRequest(task_id=task.id)
    started, _ = api.create_merge(consensus_merge_create_request=merge)
    request, _ = client.wait_for_completion(started.rq_id)
    merged = [(str(one.source), list(one.points), one.score) for one in task.get_annotations().shapes]
    expect(merged, [("consensus", [10, 20, 30, 40], 1)])
    expect(str(request.operation.type), "merge:task")
    task.remove()


@check
def issues_and_comments(context):
    client = context.client
    job = jobs_of(context.task)[0]
    issue = client.issues.create(
        models.IssueWriteRequest(frame=1, position=[10.5, 20.0], job=job.id, message="the box is too large")
    )
    expect((issue.resolved, issue.frame, list(issue.position), issue.comments.count), (False, 1, [10.5, 20.0], 1))
    expect([comment.message for comment in issue.get_comments()], ["the box is too large"])
    comment = client.comments.create(models.CommentWriteRequest(issue=issue.id, message="better now?"))
    comment.update(models.PatchedCommentWriteRequest(message="is it better now?"))
    messages = [one.message for one in sorted(issue.get_comments(), key=lambda one: one.id)]
    expect(messages, ["the box is too large", "is it better now?"])
    issue.update(models.PatchedIssueWriteRequest(resolved=True))
    expect([one.id for one in job.get_issues()], [issue.id])
    expect(client.jobs.retrieve(job.id).issues.count, 1)
    expect(client.issues.retrieve(issue.id).resolved, True)
    comment.remove()
    issue.remove()
    expect(job.get_issues(), [])


@check
def guides_and_pictures(context):
    api = context.client.api_client
    guide, _ = api.guides_api.create(
        annotation_guide_write_request=models.AnnotationGuideWriteRequest(
            project_id=context.project.id, markdown="# How to draw"
        )
    )
    expect(context.project.fetch().guide_id, guide.id)
    expect(jobs_of(context.task)[0].guide_id, guide.id)
    read, _ = api.guides_api.retrieve(guide.id)
    expect(read.markdown, "# How to draw")
    api.guides_api.destroy(guide.id)


@check
def events_and_requests(context):
    api = context.client.api_client
    sent, _ = api.events_api.create(
        models.ClientEventsRequest(
            timestamp=models_time(), events=[models.EventRequest(scope="load:job", timestamp=models_time(), job_id=1)]
        )
    )
    expect(sent.events[0].scope, "load:job")
    requests, _ = api.requests_api.list()
    assert requests.count > 0
    one, _ = api.requests_api.retrieve(requests.results[0].id)
    expect(one.id, requests.results[0].id)
    fails(exceptions.ApiException, api.requests_api.create_cancel, one.id)


def models_time():
    from datetime import datetime, timezone

    return datetime.now(timezone.utc)


@check
def datasets_of_projects(context):
    client, project = context.client, context.project
    archive = folder / "project dataset.zip"
    project.export_dataset("COCO 1.0", archive, include_images=True)
    other = client.projects.create_from_dataset(
        models.ProjectWriteRequest(name="imported"), dataset_path=str(archive), dataset_format="COCO 1.0"
    )
    expect(sorted(label.name for label in other.get_labels()), ["car", "person"])
    tasks = other.get_tasks()
    expect([(task.subset, task.size) for task in tasks], [(train, 5)])
    expect(len(tasks[0].get_annotations().shapes), 5)
    other.import_dataset("COCO 1.0", archive)
    expect(len(other.get_tasks()), 2)
    other.remove()


@check
def jobs_by_files_and_a_task_that_moves_into_a_project(context):
    client, project = context.client, context.project
    names = [image.name for image in images]
    data = {"job_file_mapping": [[names[2]], [names[0], names[1]]]}
    task = new_task(client, "moves", images[:3], [{"name": "car"}], data)
    expect([frame.name for frame in task.get_frames_info()], [names[2], names[0], names[1]])
    expect([(job.start_frame, job.stop_frame) for job in jobs_of(task)], [(0, 0), (1, 2)])
    task.set_annotations(models.LabeledDataRequest(shapes=[rectangle(1, task.get_labels()[0], [1, 2, 3, 4])]))
    task.update(models.PatchedTaskWriteRequest(project_id=project.id))
    expect(task.project_id, project.id)
    [shape] = task.get_annotations().shapes
    expect((shape.label_id, list(shape.points)), (project.get_labels()[0].id, [1, 2, 3, 4]))
    task.remove()


@check
def backups_of_tasks(context):
    client, task = context.client, context.task
    archive = folder / "task backup.zip"
    task.download_backup(archive)
    copy = client.tasks.create_from_backup(archive)
    expect((copy.name, copy.size, copy.subset), (task.name, task.size, task.subset))
    shapes = lambda one: sorted((shape.frame, list(shape.points)) for shape in one.get_annotations().shapes)  # noqa: E731
    expect(shapes(copy), shapes(task))
    expect([label.name for label in copy.get_labels()], ["car", "person"])
    expect(copy.get_frame(3, quality="original").read(), images[3].read_bytes())
    expect([str(job.status) for job in jobs_of(copy)], [str(job.status) for job in jobs_of(task)])
    copy.remove()


@check
def backups_of_projects(context):
    client, project = context.client, context.project
    archive = folder / "project backup.zip"
    project.download_backup(archive)
    copy = client.projects.create_from_backup(archive)
    expect(copy.name, project.name)
    expect([task.name for task in copy.get_tasks()], [task.name for task in project.get_tasks()])
    copy.remove()


@check
def honeypots(context):
    client = context.client
    pool = {
        "mode": "gt_pool",
        "frame_selection_method": "random_uniform",
        "frame_count": 2,
        "frames_per_job_count": 1,
        "random_seed": 42,
    }
    data = {"sorting_method": "random", "validation_params": pool}
    task = new_task(client, "honeypots", labels=[{"name": "car"}], segment_size=2, data=data)
    expect((task.size, str(task.validation_mode)), (7, "gt_pool"))
    api = client.api_client
    layout, _ = api.tasks_api.retrieve_validation_layout(task.id)
    expect((str(layout.mode), layout.validation_frames, layout.frames_per_job_count), ("gt_pool", [5, 6], 1))
    expect(sorted(layout.honeypot_real_frames), [5, 6])
    names = [frame.name for frame in task.get_meta().frames]
    for honeypot, real in zip(layout.honeypot_frames, layout.honeypot_real_frames):
        expect(names[honeypot], names[real])
        expect(task.get_frame(honeypot).read(), task.get_frame(real).read())
    changed, _ = api.tasks_api.partial_update_validation_layout(
        task.id,
        patched_task_validation_layout_write_request=models.PatchedTaskValidationLayoutWriteRequest(
            disabled_frames=[5], frame_selection_method="random_uniform"
        ),
    )
    expect((changed.disabled_frames, changed.honeypot_real_frames), ([5], [6, 6]))
    first = next(job for job in task.get_jobs() if str(job.type) == "annotation")
    of_job, _ = api.jobs_api.partial_update_validation_layout(
        first.id,
        patched_job_validation_layout_write_request=models.PatchedJobValidationLayoutWriteRequest(
            frame_selection_method="manual", honeypot_real_frames=[6]
        ),
    )
    expect((of_job.honeypot_count, of_job.honeypot_real_frames), (1, [6]))
    backup = folder / f"honeypots-{release}.zip"
    task.download_backup(backup)
    restored = client.tasks.create_from_backup(backup)
    expect([frame.name for frame in restored.get_meta().frames], [frame.name for frame in task.get_meta().frames])
    kept, _ = api.tasks_api.retrieve_validation_layout(task.id)
    expect(api.tasks_api.retrieve_validation_layout(restored.id)[0].to_dict(), kept.to_dict())
    restored.remove()
    task.remove()


@check
def organizations(context):
    client = context.client
    organization = client.organizations.create(models.OrganizationWriteRequest(slug="team", name="A team"))
    with client.organization_context("team"):
        project = client.projects.create(models.ProjectWriteRequest(name="of the team"))
        expect([one.id for one in client.projects.list()], [project.id])
        members, _ = client.api_client.memberships_api.list()
        expect([str(member.role) for member in members.results], ["owner"])
    with client.organization_context(""):
        assert project.id not in [one.id for one in client.projects.list()]
    organization.remove()


@check
def removing(context):
    client = context.client
    client.tasks.remove_by_ids([context.task.id, 10**6])
    context.project.remove()
    expect(client.tasks.list(name="the first"), [])
    expect(client.projects.list(name="wide streets"), [])


run_signed_in()
