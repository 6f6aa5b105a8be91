"""The calls of the unmodified cvat-sdk that a client of a CVAT server needs, one after the other, to be recorded."""

import io
import json

from checks import check, expect
from cvat_sdk import Client, models
from cvat_sdk.core.client import AccessTokenCredentials
from cvat_sdk.core.proxies.annotations import AnnotationUpdateAction
from cvat_sdk.core.proxies.tasks import ResourceType
from cvat_sdk.core.uploading import DataUploader
from world import config, folder, images, new_task, password, run_signed_in, shape, skeleton_task, url, user

labels = [
    {
        "name": "car",
        "attributes": [{"name": "parked", "mutable": True, "input_type": "checkbox", "default_value": "false", "values": []}],
    },
    {"name": "person"},
]


def own_shape(target):
    """Oldest shape whose id no tag or track has. The SDK deletes objects of all kinds by an id."""
    found = target.get_annotations()
    others = {one.id for one in (*found.tags, *found.tracks)}
    return min(shape.id for shape in found.shapes if shape.id not in others)


def first_job(task):
    return min(task.get_jobs(), key=lambda job: job.id)


@check
def logs_in_by_password_and_by_token(context):
    api = context.client.api_client
    token, _ = api.auth_api.create_access_tokens(models.AccessTokenWriteRequest(name="recorded", read_only=False))
    api.auth_api.list_access_tokens()
    with Client(url, config=config) as client:
        client.login((user, password))
        client.logout()
    context.signed_in = Client(url, config=config)
    context.signed_in.login(AccessTokenCredentials(token.value))
    expect(context.signed_in.users.retrieve_current_user().username, user)
    context.client = context.signed_in


@check
def creates_an_organization_a_project_and_a_task(context):
    client = context.client
    context.organization = client.organizations.create(models.OrganizationWriteRequest(slug="recorded", name="Recorded"))
    with client.organization_context("recorded"):
        client.projects.create(models.ProjectWriteRequest(name="of the organization"))
    context.project = client.projects.create(models.ProjectWriteRequest(name="streets", labels=labels))
    context.task = client.tasks.create_from_data(
        spec=models.TaskWriteRequest(name="first", project_id=context.project.id, segment_size=3, overlap=0, subset="Train"),
        resource_type=ResourceType.LOCAL,
        resources=images,
        data_params={"image_quality": 80, "sorting_method": "predefined", "chunk_size": 2},
    )
    new_task(client, "labelled", labels=labels, data={"frame_step": 2, "start_frame": 0, "stop_frame": 3})


@check
def uploads_large_files_by_tus(context):
    task, _ = context.client.api_client.tasks_api.create(models.TaskWriteRequest(name="by TUS", labels=labels))
    address = context.client.api_map.make_endpoint_url("/api/tasks/{id}/data/", kwsub={"id": task.id})
    uploader = DataUploader(context.client, max_request_size=1)
    started = uploader.upload_files(address, images[:2], image_quality=70)
    context.client.wait_for_completion(json.loads(started.data)["rq_id"])
    expect(context.client.tasks.retrieve(task.id).size, 2)


@check
def lists_with_filters_and_pages(context):
    client, api = context.client, context.client.api_client
    client.organizations.list()
    client.organizations.list(search="recorded")
    client.users.list(search=user)
    by_name = json.dumps({"and": [{"==": [{"var": "name"}, "streets"]}]})
    client.projects.list(search="streets", sort="-id")
    client.projects.list(filter=by_name, owner=user)
    client.tasks.list(project_id=context.project.id, subset="Train", status="annotation")
    client.tasks.list(search="first", sort="-updated_date", mode="annotation")
    client.jobs.list(task_id=context.task.id, stage="annotation", state="new", type="annotation", sort="id")
    client.jobs.list(project_id=context.project.id, search="first")
    api.jobs_api.list(page=1, page_size=1)
    api.jobs_api.list(page=2, page_size=1)
    api.tasks_api.list(org="", page_size=10)
    api.labels_api.list(job_id=first_job(context.task).id)
    for slug in ("recorded", ""):
        with client.organization_context(slug):
            client.projects.list()
            client.tasks.list()
            client.jobs.list()
    context.project.get_tasks()
    context.project.get_labels()


@check
def reads_frames_by_chunk_and_their_description(context):
    task, client = context.task, context.client
    job = first_job(task)
    task.get_labels()
    job.get_labels()
    task.get_meta()
    job.get_meta()
    for target in (task, job):
        target.get_frame(0, quality="original")
        target.get_preview()
    for quality in ("original", "compressed"):
        task.download_chunk(0, io.BytesIO(), quality=quality)
        chunk = {"type": "chunk", "quality": quality, "_parse_response": False}
        client.api_client.jobs_api.retrieve_data(job.id, number=0, **chunk)
        client.api_client.jobs_api.retrieve_data(job.id, index=0, **chunk)
    client.projects.retrieve(context.project.id).get_preview()
    task.remove_frames_by_ids([4])
    job.remove_frames_by_ids([1])
    job.remove_frames_by_ids([])


@check
def changes_annotations(context):
    task = context.task
    job = first_job(task)
    car, person = task.get_labels()
    parked = [models.AttributeValRequest(spec_id=car.attributes[0].id, value="true")]
    keyframes = [
        models.TrackedShapeRequest(type="rectangle", frame=frame, points=[1, 2, 9 + frame, 9], outside=False, attributes=parked)
        for frame in (0, 2)
    ]
    for target in (job, task):
        drawn = models.PatchedLabeledDataRequest(
            tags=[models.LabeledImageRequest(frame=0, label_id=person.id, attributes=[])],
            shapes=[shape("rectangle", 0, car, [1, 2, side, 40], attributes=parked) for side in (20, 30, 40)],
            tracks=[models.LabeledTrackRequest(frame=0, label_id=car.id, shapes=keyframes)],
        )
        target.update_annotations(drawn, action=AnnotationUpdateAction.CREATE)
        moved = models.LabeledShapeRequest(
            id=own_shape(target), type="rectangle", frame=0, label_id=car.id, points=[5, 5, 25, 25]
        )
        target.update_annotations(models.PatchedLabeledDataRequest(shapes=[moved]), action=AnnotationUpdateAction.UPDATE)
        target.remove_annotations(ids=[own_shape(target)])
        target.set_annotations(models.LabeledDataRequest(shapes=[shape("polygon", 0, person, [0, 0, 5, 0, 5, 5])]))
    job.remove_annotations()
    skeletons, figure = skeleton_task(context.client)
    skeletons.update_annotations(models.PatchedLabeledDataRequest(shapes=[figure]))


@check
def discusses_and_guides(context):
    client, api = context.client, context.client.api_client
    job = first_job(context.task)
    issue = client.issues.create(models.IssueWriteRequest(frame=1, position=[10.5, 20.0], job=job.id, message="too large"))
    comment = client.comments.create(models.CommentWriteRequest(issue=issue.id, message="better now?"))
    comment.update(models.PatchedCommentWriteRequest(message="is it better now?"))
    issue.update(models.PatchedIssueWriteRequest(resolved=True, position=[1.0, 2.0]))
    issue.get_comments()
    job.get_issues()
    client.issues.list(job_id=job.id, sort="id")
    client.comments.list(job_id=job.id, sort="id")
    client.issues.retrieve(issue.id)
    comment.remove()
    issue.remove()
    guide, _ = api.guides_api.create(
        annotation_guide_write_request=models.AnnotationGuideWriteRequest(project_id=context.project.id, markdown="# Draw")
    )
    api.guides_api.retrieve(guide.id)
    with images[0].open("rb") as file:
        asset, _ = api.assets_api.create(guide_id=guide.id, file=file)
    api.assets_api.retrieve(asset.uuid, _parse_response=False)
    api.guides_api.partial_update(
        guide.id, patched_annotation_guide_write_request=models.PatchedAnnotationGuideWriteRequest(markdown="# Draw all")
    )


@check
def changes_stage_state_and_assignee(context):
    job = first_job(context.task)
    job.update({"stage": "validation"})
    job.update({"stage": "acceptance", "state": "completed"})
    job.update({"assignee": context.client.users.retrieve_current_user().id})
    job.fetch()
    context.task.update(models.PatchedTaskWriteRequest(name="the first"))
    context.project.update(models.PatchedProjectWriteRequest(labels=[models.PatchedLabelRequest(name="bird")]))


@check
def exports_imports_and_backs_up(context):
    client, project, task = context.client, context.project, context.task
    job = first_job(task)
    for target in (project, task, job):
        target.export_dataset("COCO 1.0", folder / f"{type(target).__name__}.zip", include_images=False)
    task.import_annotations("COCO 1.0", folder / "Task.zip")
    job.import_annotations("COCO 1.0", folder / "Job.zip")
    with_images = folder / "images.zip"
    project.export_dataset("COCO 1.0", with_images, include_images=True)
    project.import_dataset("COCO 1.0", with_images)
    task.download_backup(folder / "task-backup.zip")
    project.download_backup(folder / "project-backup.zip")
    client.tasks.create_from_backup(folder / "task-backup.zip").remove()
    client.projects.create_from_backup(folder / "project-backup.zip").remove()
    client.api_client.requests_api.list()


@check
def deletes(context):
    context.task.remove()
    context.project.remove()
    context.organization.remove()


run_signed_in()
