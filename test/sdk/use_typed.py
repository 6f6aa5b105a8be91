"""Lists and objects of the API as the types of the unmodified cvat-sdk: which of their keys are there, and which more."""

from checks import check, expect
from cvat_sdk import models
from typed_reads import read
from world import (
    compared_task,
    ground_truth_of,
    images,
    new_task,
    release,
    report_of,
    run_signed_in,
    shape,
    skeleton_task,
)

# Keys that a task has when its data are there.
of_data = {
    "data_chunk_size",
    "data_compressed_chunk_type",
    "data_original_chunk_type",
    "size",
    "image_quality",
    "data_cloud_storage_id",
}


def strict(settings):
    """Settings under which a point three pixels away is wrong, in the form of the release."""
    if release == "2.73":
        return {"oks_sigma": 0.001}
    return {"requirements": [models.QualityRequirementListItemRequest(name=settings.requirements[0].name, point_size=0.001)]}


@check
def objects_have_the_keys_of_their_types(context):
    client = context.client
    api = client.api_client
    labels = [{"name": "car", "attributes": [{"name": "side", "mutable": False, "input_type": "select", "values": ["a"]}]}]
    project = client.projects.create({"name": "typed", "labels": labels})
    task = new_task(client, "typed", project_id=project.id, segment_size=2, overlap=0)
    job = sorted(task.get_jobs(), key=lambda one: one.id)[0]
    truth = ground_truth_of(client, task, [1])
    skeletons, figure = skeleton_task(client)
    empty, _ = api.tasks_api.create(models.TaskWriteRequest(name="empty", labels=[{"name": "car"}]))
    (car,) = project.get_labels()
    job.set_annotations(models.LabeledDataRequest(shapes=[shape("rectangle", 0, car, [1, 1, 9, 9])]))
    skeletons.update_annotations(models.PatchedLabeledDataRequest(shapes=[figure]))
    issue = client.issues.create({"job": job.id, "frame": 0, "position": [1, 1, 2, 2], "message": "here"})
    guide, _ = api.guides_api.create(
        annotation_guide_write_request=models.AnnotationGuideWriteRequest(project_id=project.id, markdown="x")
    )
    for api_of, ids in (
        (api.projects_api, [project.id]),
        (api.tasks_api, [task.id, skeletons.id]),
        (api.jobs_api, [job.id, truth.id]),
        (api.issues_api, [issue.id]),
        (api.guides_api, [guide.id]),
        (api.labels_api, [car.id, *(label.id for label in skeletons.get_labels())]),
    ):
        for number in ids:
            read(api_of.retrieve, number)
    read(api.tasks_api.retrieve, empty.id, without=of_data)
    for api_of, number in ((api.tasks_api, task.id), (api.jobs_api, job.id), (api.jobs_api, truth.id)):
        read(api_of.retrieve_data_meta, number)
        read(api_of.retrieve_annotations, number)
    read(api.tasks_api.retrieve_annotations, skeletons.id)


@check
def labels_say_that_they_have_no_parent(context):
    _, figure = skeleton_task(context.client)
    page, _ = context.client.api_client.labels_api.list(page_size=100)
    expect({label.parent_id for label in page.results}, {None})


@check
def quality_has_the_keys_of_its_types(context):
    client = context.client
    api = client.api_client.quality_api
    task, _truth = compared_task(client)
    (settings,) = read(api.list_settings, task_id=task.id).results
    read(api.retrieve_settings, settings.id)
    report_id = report_of(client, task_id=task.id)
    read(api.retrieve_report, report_id)
    assert read(api.list_reports, parent_id=report_id).results
    request = models.PatchedQualitySettingsRequest(**strict(settings))
    read(api.partial_update_settings, settings.id, patched_quality_settings_request=request)
    assert read(api.list_conflicts, report_id=report_of(client, task_id=task.id)).results


@check
def lists_have_the_keys_of_their_types(context):
    api = context.client.api_client
    slug = "typed-" + release.replace(".", "-")
    organization, _ = api.organizations_api.create({"slug": slug})
    api.invitations_api.create({"role": "worker", "email": f"{slug}@example.org"}, org=slug)
    api.webhooks_api.create(
        models.WebhookWriteRequest(
            target_url="http://127.0.0.1:9/", type="organization", content_type="application/json", events=["create:task"]
        ),
        org=slug,
    )
    api.auth_api.create_access_tokens(models.AccessTokenWriteRequest(name="typed"))
    for name in (
        "projects",
        "tasks",
        "jobs",
        "labels",
        "issues",
        "comments",
        "users",
        "organizations",
        "memberships",
        "invitations",
        "webhooks",
        "requests",
    ):
        page = read(getattr(api, f"{name}_api").list, page_size=100, without=of_data if name == "tasks" else frozenset())
        assert page.results, name
    read(api.auth_api.list_access_tokens)
    read(api.quality_api.list_settings)
    read(api.consensus_api.list_settings)
    read(api.users_api.retrieve_self)
    read(api.server_api.retrieve_about)
    read(api.server_api.retrieve_annotation_formats)
    read(api.lambda_api.list_functions)


run_signed_in()
