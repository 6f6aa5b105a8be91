"""Lists and objects of the API as the types of the unmodified cvat-sdk: which of their keys are there, and which more."""

import json

from checks import check, expect
from cvat_sdk import models
from world import ground_truth_of, images, new_task, run_signed_in, shape, skeleton_task

# Keys of the client's types that CVAT leaves out of some objects, too.
optional = {
    "Label": {"project_id", "task_id", "svg"},
    "Sublabel": {"svg", "parent_id", "sublabels", "project_id", "task_id"},
    "AccessTokenRead": {"value"},
    "WebhookRead": {"last_status", "last_delivery_date"},
}
# Keys that a task has when its data are there.
of_data = {
    "data_chunk_size",
    "data_compressed_chunk_type",
    "data_original_chunk_type",
    "size",
    "image_quality",
    "data_cloud_storage_id",
}
# Keys of Limner's own.
own = {"JobsSummary": {"in_progress"}, "WebhookRead": {"project"}}


def differences(model, raw, without=frozenset()):
    """Keys that an answer lacks (-) or has beside those of its type (+), by the names of the types."""
    if isinstance(model, (list, tuple)):
        return {one for item, part in zip(model, raw) for one in differences(item, part, without)}
    if not hasattr(model, "attribute_map") or not isinstance(raw, dict):
        return set()
    name = type(model).__name__
    known = {model.attribute_map[attribute]: attribute for attribute in model.openapi_types}
    lacking = set(known) - set(raw) - optional.get(name, set()) - set(without)
    more = set(raw) - set(known) - own.get(name, set())
    found = {f"{name} -{key}" for key in lacking} | {f"{name} +{key}" for key in more}
    for key in set(known) & set(raw):
        found |= differences(getattr(model, known[key]), raw[key], without)
    return found


def read(method, *arguments, without=frozenset(), **named):
    """What a method of the client answers. Its types have every key that the answer has, and the other way round."""
    model, response = method(*arguments, **named)
    expect(differences(model, json.loads(response.data), without), set(), method)
    return model


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
def lists_have_the_keys_of_their_types(context):
    api = context.client.api_client
    organization, _ = api.organizations_api.create({"slug": "typed"})
    api.invitations_api.create({"role": "worker", "email": "typed@example.org"}, org="typed")
    api.webhooks_api.create(
        models.WebhookWriteRequest(
            target_url="http://127.0.0.1:9/", type="organization", content_type="application/json", events=["create:task"]
        ),
        org="typed",
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
