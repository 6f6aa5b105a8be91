"""Sends every optional field of the request models of cvat-sdk, one at a time: none is accepted and dropped."""

import json
import re
import time

from checks import check, expect
from cvat_sdk import models
from raw_calls import call, form_of, stated_fields, unique, upload
from world import compared_task, images, new_task, release, run_signed_in

local = {"location": "local"}
thresholds = {"iou_threshold": 0.61, "line_thickness": 0.02, "group_match_threshold": 0.6, "oks_sigma": 0.07}
# A valid value of each field, by `Model.field` or by `field`.
values = {
    "name": lambda: unique("named"),
    "slug": lambda: unique("slug"),
    "first_name": "Ada",
    "last_name": "Lovelace",
    "email": lambda: unique("mail") + "@example.org",
    "username": lambda: unique("user"),
    "groups": ["user"],
    "is_staff": True,
    "is_superuser": True,
    "is_active": True,
    "cvat_usage_reason": "personal_project",
    "primary_role": "engineer",
    "planned_activities": ["annotate_data"],
    "data_types": ["image"],
    "discovery_source": "search",
    "description": "described",
    "contact": {"email": "a@example.org"},
    "bug_tracker": "https://example.org/bugs",
    "labels": [{"name": "new label"}],
    "subset": "Train",
    "target_storage": local,
    "source_storage": local,
    "overlap": 1,
    "segment_size": 3,
    "consensus_replicas": 2,
    "initial_replicas": 2,
    "message": "said",
    "resolved": True,
    "markdown": "# Guide",
    "role": "maintainer",
    "position": [1.0, 2.0, 3.0, 4.0],
    "stage": "validation",
    "state": "in progress",
    "content_type": "application/json",
    "secret": "whsec_secret",
    "enable_ssl": False,
    "PatchedWebhookWriteRequest.is_active": False,
    "WebhookWriteRequest.is_active": False,
    "target_url": "http://127.0.0.1:9/other",
    "events": ["update:task"],
    "expiry_date": "2099-01-01T00:00:00Z",
    "read_only": True,
    "color": "#123456",
    "PatchedLabelRequest.type": "rectangle",
    "deleted_frames": [1],
    "cloud_storage_id": 5,
    "occluded": True,
    "outside": False,
    "z_order": 3,
    "rotation": 30.0,
    "points": [1.0, 2.0, 30.0, 40.0],
    "group": 4,
    "source": "auto",
    "score": 0.5,
    "version": 1,
    "frame_selection_method": "manual",
    "frames": [1],
    "disabled_frames": [0],
    "honeypot_real_frames": [1],
    "random_seed": 3,
    "frame_count": 1,
    "frame_share": 0.5,
    "frames_per_job_count": 1,
    "frames_per_job_share": 0.5,
    "job_filter": '{"==":[{"var":"type"},"annotation"]}',
    "inherit": False,
    "max_validations_per_job": 3,
    "requirements": [{"name": "sent"}],
    **thresholds,
    "low_overlap_threshold": 0.7,
    "target_metric": "precision",
    "target_metric_threshold": 0.6,
    "point_size_base": "image_size",
    "compare_line_orientation": False,
    "line_orientation_threshold": 0.2,
    "compare_groups": False,
    "check_covered_annotations": False,
    "object_visibility_threshold": 0.1,
    "panoptic_comparison": False,
    "compare_attributes": False,
    "empty_is_annotated": True,
    "sort_order": 4,
    "filter": '{"==":[{"var":"label"},"car"]}',
    "enabled": False,
    "annotation_type": "points",
    "metric": "mean_dice",
    "required_score": 0.55,
    "point_size": 0.05,
    "match_orientation": False,
    "match_groups": False,
    "attribute_comparison": {"default": {"enabled": True}, "rules": []},
    "children": [{"name": "below"}],
    "chunk_size": 2,
    "image_quality": 50,
    "start_frame": 1,
    "stop_frame": 1,
    "frame_filter": "step=2",
    "remote_files": ["http://example.org/a.png"],
    "server_files": ["a.png"],
    "server_files_exclude": ["a.png"],
    "use_zip_chunks": True,
    "use_cache": True,
    "copy_data": True,
    "storage_method": "cache",
    "storage": "local",
    "sorting_method": "natural",
    "filename_pattern": "*.png",
    "job_file_mapping": [["a.png"]],
    "upload_file_order": ["a.png"],
    "validation_params": {"mode": "gt", "frame_selection_method": "manual", "frames": ["image-001.jpg"]},
}
# Names of fields that answers have under another name or in another form.
read_as = {
    "owner_id": lambda answer: (answer.get("owner") or {}).get("id"),
    "assignee_id": lambda answer: (answer.get("assignee") or {}).get("id"),
    "assignee": lambda answer: (answer.get("assignee") or {}).get("id"),
    "organization_id": lambda answer: answer.get("organization") or answer.get("organization_id"),
    "chunk_size": lambda answer: answer.get("data_chunk_size", answer.get("chunk_size")),
}
# Models that are part of others, and those without optional fields or without an operation of Limner.
elsewhere = {
    "AnnotationFileRequest": "a file",
    "AttributeComparisonDefaultRuleRequest": "part of a requirement",
    "AttributeComparisonRequest": "part of a requirement",
    "AttributeComparisonRuleRequest": "part of a requirement",
    "AttributeRequest": "part of a label",
    "AttributeValRequest": "part of an object",
    "BasicUserRequest": "part of answers",
    "ClientEventsRequest": "events of the interface of CVAT; counted while analytics is on",
    "CloudStorageWriteRequest": "needs a bucket, in buckets.test.ts",
    "ConsensusMergeCreateRequest": "one of two targets, in consensus.test.ts",
    "DatasetFileRequest": "a file",
    "EventRequest": "part of ClientEventsRequest",
    "FunctionCallRequest": "needs a function, in functions.test.ts",
    "InvitationWriteRequest": "no optional fields",
    "LabelMappingEntryRequest": "part of FunctionCallRequest",
    "LabeledIntervalRequest": "audio only",
    "LoginSerializerExRequest": "in use_proxies.py",
    "OnlineFunctionCallRequest": "one of two targets, in functions.test.ts",
    "PasswordChangeRequest": "no optional fields",
    "PasswordResetConfirmRequest": "no optional fields",
    "PasswordResetSerializerExRequest": "no optional fields",
    "PatchedCloudStorageWriteRequest": "needs a bucket, in buckets.test.ts",
    "PatchedLabeledDataRequest": "the objects of LabeledDataRequest",
    "PatchedUserGrowthDataRequest": "no such operation: 404",
    "ProjectFileRequest": "a file",
    "QualityReportCreateRequest": "one of two targets, in use_quality.py",
    "QualityRequirementBulkCreateRequest": "no optional fields",
    "QualityRequirementListItemRequest": "the fields of QualityRequirementRequest",
    "StorageRequest": "part of tasks and projects",
    "SubLabeledShapeRequest": "part of a skeleton",
    "SubLabeledTrackRequest": "part of a skeleton",
    "SublabelMappingEntryRequest": "part of FunctionCallRequest",
    "SublabelRequest": "part of a label",
    "TaskFileRequest": "a file",
    "ValidationParamsRequest": "part of DataRequest",
}
sent_models = set()


def is_within(sent, read):
    """A sent value is read back: equal, or with more keys."""
    if isinstance(sent, dict) and isinstance(read, dict):
        return all(key in read and is_within(value, read[key]) for key, value in sent.items())
    if isinstance(sent, list) and isinstance(read, list):
        return all(any(is_within(one, other) for other in read) for one in sent)
    if isinstance(sent, str) and sent.endswith("T00:00:00Z"):
        return str(read).startswith(sent[:19])
    return sent == read


class Case:
    """A request model: its required fields, and how it is sent. `read` returns the object with the fields."""

    def __init__(self, model, method, path, required=dict, read=lambda answer: answer, fields=None):
        self.model, self.method, self.path = model, method, path
        self.required, self.read, self.fields = required, read, fields

    def outcome(self, field, value):
        type_of = getattr(models, self.model)
        path = self.path() if callable(self.path) else self.path
        body = {**self.required(), field: value}
        # The type checks that the fields are its own.
        unknown = set(body) - set(type_of.attribute_map.values())
        expect(unknown, set(), self.model)
        status, answer = call(self.method, path, body)
        if status >= 400:
            return "refused", answer
        seen = self.read(answer)
        found = read_as[field](seen) if field in read_as else (seen or {}).get(field)
        return ("stored", None) if is_within(value, found) else ("dropped", found)

    def optional_fields(self):
        if self.fields is not None:
            return self.fields
        type_of = getattr(models, self.model)
        required = set(self.required())
        return sorted(set(type_of.attribute_map.values()) - (required if self.method == "POST" else set()))


def check_cases(cases, given):
    stated = stated_fields()
    wrong = []
    for case in cases:
        if not hasattr(models, case.model):
            continue
        sent_models.add(case.model)
        for field in case.optional_fields():
            key = f"{case.model}.{field}"
            if key in given or field in given:
                value = given.get(key, given.get(field))
            elif key in values or field in values:
                value = values.get(key, values.get(field))
            else:
                wrong.append(f"{key}: no value in the table")
                continue
            value = value() if callable(value) else value
            state, more = case.outcome(field, value)
            wanted = stated.get((case.model, field), "stored")
            is_right = state == wanted or (state == "dropped" and wanted in ("acted on", "passed over"))
            if not is_right:
                wrong.append(f"{key}: stated as {wanted}, but {state} {more}")
    expect(wrong, [])


@check
def projects_tasks_and_jobs(context):
    client = context.client
    me, _ = client.api_client.users_api.retrieve_self()
    project = client.projects.create({"name": unique("fields"), "labels": [{"name": "car"}]})
    organization, _ = client.api_client.organizations_api.create({"slug": unique("org")})
    task = new_task(client, "fields", labels=[{"name": "car"}])
    job = task.get_jobs()[0]
    context.task, context.job, context.me = task, job, me

    def fresh(kind):
        body = {"name": unique(kind), "labels": [{"name": "car"}]}
        return call("POST", f"/api/{kind}s", body)[1]["id"]

    def with_labels(answer):
        """Labels are read from their own list."""
        kind = "project_id" if "tasks" in answer else "task_id"
        return {**answer, "labels": call("GET", f"/api/labels?{kind}={answer['id']}")[1]["results"]}

    given = {
        "project_id": project.id,
        "owner_id": me.id,
        "assignee_id": me.id,
        "assignee": me.id,
        "organization_id": organization.id,
    }
    check_cases(
        [
            Case("ProjectWriteRequest", "POST", "/api/projects", lambda: {"name": unique("p")}, with_labels),
            Case("PatchedProjectWriteRequest", "PATCH", lambda: f"/api/projects/{fresh('project')}", read=with_labels),
            Case("TaskWriteRequest", "POST", "/api/tasks", lambda: {"name": unique("t")}, with_labels),
            Case("PatchedTaskWriteRequest", "PATCH", lambda: f"/api/tasks/{fresh('task')}", read=with_labels),
            Case("PatchedJobWriteRequest", "PATCH", f"/api/jobs/{job.id}"),
        ],
        given,
    )


class TruthCase(Case):
    """Ground-truth jobs: the job has the selected frames."""

    def outcome(self, field, value):
        number = new_task(context_client[0], "truth", labels=[{"name": "car"}]).id
        methods = {
            "frame_count": "random_uniform",
            "frame_share": "random_uniform",
            "frames_per_job_count": "random_per_job",
            "frames_per_job_share": "random_per_job",
            "random_seed": "random_uniform",
        }
        body = {
            "type": "ground_truth",
            "task_id": number,
            "frame_selection_method": methods.get(field, "manual"),
            **({} if field in methods else {"frames": [0]}),
            **({"frame_count": 2} if field == "random_seed" else {}),
            field: value,
        }
        status, answer = call("POST", "/api/jobs", body)
        if status >= 400:
            return "refused", answer
        layout = call("GET", f"/api/tasks/{number}/validation_layout")[1]
        counts = {"frame_count": value, "frames_per_job_count": value, "frame_share": 2, "frames_per_job_share": 2}
        if field in counts:
            return ("stored", None) if len(layout["validation_frames"]) == counts[field] else ("dropped", layout)
        if field == "random_seed":
            # The same seed selects the same frames of another task.
            other = new_task(context_client[0], "truth", labels=[{"name": "car"}]).id
            call("POST", "/api/jobs", {**body, "task_id": other})
            again = call("GET", f"/api/tasks/{other}/validation_layout")[1]
            is_same = layout["validation_frames"] == again["validation_frames"]
            return ("stored", None) if is_same else ("dropped", again)
        seen = {**answer, "frames": layout["validation_frames"], "frame_selection_method": value}
        found = read_as[field](seen) if field in read_as else seen.get(field)
        return ("stored", None) if is_within(value, found) else ("dropped", found)


context_client = []


@check
def ground_truth_jobs(context):
    context_client.append(context.client)
    check_cases([TruthCase("JobWriteRequest", "POST", "", lambda: {"type": "", "task_id": 0})], {"assignee": context.me.id})


@check
def issues_comments_and_guides(context):
    job = context.job
    issue = {"frame": 0, "position": [1.0, 1.0, 2.0, 2.0], "job": job.id, "message": "here"}
    made = call("POST", "/api/issues", issue)[1]["id"]
    comment = call("POST", "/api/comments", {"issue": made, "message": "x"})[1]["id"]
    project = context.client.projects.create({"name": unique("guide"), "labels": [{"name": "car"}]})
    other = context.client.projects.create({"name": unique("guide"), "labels": [{"name": "car"}]})
    guide = call("POST", "/api/guides", {"project_id": other.id, "markdown": "x"})[1]["id"]
    fresh = lambda: context.client.projects.create({"name": unique("guide"), "labels": [{"name": "car"}]}).id
    check_cases(
        [
            Case("IssueWriteRequest", "POST", "/api/issues", lambda: issue),
            Case("PatchedIssueWriteRequest", "PATCH", f"/api/issues/{made}"),
            Case("CommentWriteRequest", "POST", "/api/comments", lambda: {"issue": made}),
            Case("PatchedCommentWriteRequest", "PATCH", f"/api/comments/{comment}"),
            Case("AnnotationGuideWriteRequest", "POST", "/api/guides", lambda: {"project_id": fresh()}, fields=["markdown"]),
            Case("AnnotationGuideWriteRequest", "POST", "/api/guides", fields=["project_id", "task_id"]),
            Case("PatchedAnnotationGuideWriteRequest", "PATCH", f"/api/guides/{guide}"),
        ],
        {"assignee": context.me.id, "task_id": context.task.id, "project_id": project.id},
    )


class RegisterCase(Case):
    """Accounts are read from the list of users, because the answer has only part of their fields."""

    def outcome(self, field, value):
        name = unique("registered")
        body = {"username": name, "password1": "Never-Guess-1", "password2": "Never-Guess-1", field: value}
        status, answer = call("POST", self.path, body)
        if status >= 400:
            return "refused", answer
        return ("stored", None) if is_within(value, answer.get(field)) else ("dropped", answer)

    def optional_fields(self):
        return ["email", "first_name", "last_name"]


@check
def people_webhooks_and_tokens(context):
    slug = unique("people")
    organization = call("POST", "/api/organizations", {"slug": slug})[1]["id"]
    invited = call("POST", f"/api/invitations?org={slug}", {"role": "worker", "email": unique("i") + "@example.org"})
    members = call("GET", f"/api/memberships?org={slug}")[1]["results"]
    member = next((one["id"] for one in members if one["role"] == "worker"), members[0]["id"])
    hook = {"target_url": "http://127.0.0.1:9/", "type": "organization", "events": ["create:task"]}
    made = call("POST", f"/api/webhooks?org={slug}", hook)[1]["id"]
    token = call("POST", "/api/auth/access_tokens", {"name": "fields"})[1]["id"]
    account = {"username": unique("a"), "password1": "Never-Guess-1", "password2": "Never-Guess-1"}
    call("POST", "/api/auth/register", {**account, "email": unique("a") + "@example.org"})
    found = call("GET", f"/api/users?search={account['username']}")[1]["results"]
    other = found[0]["id"] if found else context.me.id
    check_cases(
        [
            Case("OrganizationWriteRequest", "POST", "/api/organizations", lambda: {"slug": unique("o")}),
            Case("PatchedOrganizationWriteRequest", "PATCH", f"/api/organizations/{organization}"),
            Case(
                "WebhookWriteRequest",
                "POST",
                f"/api/webhooks?org={slug}",
                lambda: hook,
                fields=["content_type", "description", "enable_ssl", "is_active", "secret"],
            ),
            Case("WebhookWriteRequest", "POST", "/api/webhooks", lambda: {**hook, "type": "project"}, fields=["project_id"]),
            Case("PatchedWebhookWriteRequest", "PATCH", f"/api/webhooks/{made}"),
            Case("AccessTokenWriteRequest", "POST", "/api/auth/access_tokens", lambda: {"name": unique("t")}),
            Case("PatchedAccessTokenWriteRequest", "PATCH", f"/api/auth/access_tokens/{token}"),
            Case("PatchedUserRequest", "PATCH", f"/api/users/{other}"),
            Case("PatchedMembershipWriteRequest", "PATCH", f"/api/memberships/{member}"),
            RegisterCase("RegisterSerializerExRequest", "POST", "/api/auth/register", dict),
        ],
        {
            "PatchedOrganizationWriteRequest.slug": slug,
            "project_id": context.client.projects.create({"name": unique("hook"), "labels": [{"name": "car"}]}).id,
        },
    )


@check
def labels_and_annotations(context):
    task = new_task(
        context.client,
        "annotations",
        labels=[{"name": "car", "attributes": [{"name": "side", "mutable": True, "input_type": "text", "values": [""]}]}],
    )
    (car,) = task.get_labels()
    side = car.attributes[0].id
    box = {"type": "rectangle", "label_id": car.id, "frame": 0, "points": [1.0, 1.0, 9.0, 9.0]}

    def annotations(kind, wrap=lambda one: one, pick=lambda one: one):
        """Sends one object; the answer of the service is the object as it is stored."""

        class Annotations(Case):
            def outcome(self, field, value):
                path = f"/api/tasks/{task.id}/annotations"
                object_of = wrap({**self.required(), field: value})
                status, answer = call("PUT", path, {kind: [object_of]})
                if status >= 400:
                    return "refused", answer
                seen = pick(call("GET", path)[1][kind][0])
                found = seen.get(field)
                return ("stored", None) if is_within(value, found) else ("dropped", found)

        return Annotations

    track = lambda keyframe: {"label_id": car.id, "frame": 0, "shapes": [keyframe]}
    keyframe = {"type": "rectangle", "frame": 0, "points": [1.0, 1.0, 9.0, 9.0]}
    attributes = [{"spec_id": side, "value": "left"}]
    given = {"attributes": attributes, "id": 987_654, "elements": [], "label_id": car.id, "frame": 0, "shapes": [keyframe]}
    check_cases(
        [
            annotations("shapes")("LabeledShapeRequest", "POST", "", lambda: box),
            annotations("tags")("LabeledImageRequest", "POST", "", lambda: {"label_id": car.id, "frame": 0}),
            annotations("tracks")("LabeledTrackRequest", "POST", "", lambda: track(keyframe)),
            annotations("tracks", track, lambda one: one["shapes"][0])(
                "TrackedShapeRequest", "POST", "", lambda: keyframe
            ),
            Case(
                "LabeledDataRequest",
                "PUT",
                f"/api/tasks/{task.id}/annotations",
            ),
            Case("PatchedDataMetaWriteRequest", "PATCH", f"/api/tasks/{task.id}/data/meta"),
            Case("PatchedJobDataMetaWriteRequest", "PATCH", f"/api/jobs/{task.get_jobs()[0].id}/data/meta"),
        ],
        {
            **given,
            "LabeledDataRequest.shapes": [box],
            "LabeledDataRequest.tags": [{"label_id": car.id, "frame": 0}],
            "LabeledDataRequest.tracks": [track(keyframe)],
            "LabeledDataRequest.intervals": [{"label_id": car.id, "start": 0, "stop": 1}],
        },
    )
    check_cases(
        [Case("PatchedLabelRequest", "PATCH", f"/api/labels/{car.id}")],
        {
            "id": car.id,
            "attributes": [{"name": "more", "mutable": False, "input_type": "select", "values": ["a"]}],
            "deleted": False,
            "svg": "<svg></svg>",
            "sublabels": [{"name": "head"}],
        },
    )


class BulkCase(Case):
    """One requirement of a hierarchy."""

    def outcome(self, field, value):
        required = self.required()
        node = {"name": required["name"], field: value}
        body = {"settings_id": required["settings_id"], "requirements": [node]}
        status, answer = call("POST", self.path, body)
        if status >= 400:
            return "refused", answer
        seen = {**answer[0], "children": answer[1:]}
        return ("stored", None) if is_within(value, seen.get(field)) else ("dropped", seen)


@check
def ground_truth_and_quality(context):
    task, truth = compared_task(context.client)
    settings = call("GET", f"/api/quality/settings?task_id={task.id}")[1]["results"][0]
    merge = context.client.tasks.create({"name": unique("merged"), "labels": [{"name": "car"}], "consensus_replicas": 2})
    consensus = call("GET", f"/api/consensus/settings?task_id={merge.id}")[1]["results"]
    path = "/api/quality/settings/requirements"
    cases = [
        Case("PatchedQualitySettingsRequest", "PATCH", f"/api/quality/settings/{settings['id']}"),
        Case("QualitySettingsRequest", "PUT", f"/api/quality/settings/{settings['id']}"),
        Case("PatchedTaskValidationLayoutWriteRequest", "PATCH", f"/api/tasks/{task.id}/validation_layout"),
        Case("PatchedJobValidationLayoutWriteRequest", "PATCH", f"/api/jobs/{truth.id}/validation_layout"),
        Case("PatchedConsensusSettingsRequest", "PATCH", f"/api/consensus/settings/{consensus[0]['id']}"),
    ]
    given = {"settings_id": settings["id"]}
    if release == "2.73":
        sent_models.add("QualitySettingsRequest")
    else:
        named = lambda: {"settings_id": settings["id"], "name": unique("r")}
        parent = call("POST", path, named())[1]["id"]
        child = call("POST", path, named())[1]["id"]
        given["parent_requirement"] = parent
        cases += [
            Case("QualityRequirementRequest", "POST", path, named),
            Case("PatchedQualityRequirementRequest", "PATCH", f"{path}/{child}"),
            BulkCase("QualityRequirementBulkCreateNodeRequest", "POST", f"{path}/bulk", named),
        ]
    check_cases(cases, given)


class DataCase(Case):
    """The data of a task: images are uploaded first, then a request with the field starts the work."""

    def outcome(self, field, value):
        number = call("POST", "/api/tasks", {"name": unique("data"), "labels": [{"name": "car"}]})[1]["id"]
        path = f"/api/tasks/{number}/data/"
        upload(path, {"Upload-Start": ""})
        content_type, body = form_of(images)
        upload(path, {"Upload-Multiple": "", "Content-Type": content_type}, body)
        sent = {"image_quality": 70, field: value}
        if field == "upload_file_order":
            sent["sorting_method"] = "predefined"
        headers = {"Upload-Finish": "", "Content-Type": "application/json"}
        status, answer = upload(path, headers, json.dumps(sent).encode())
        if status >= 400:
            return "refused", answer
        while True:
            request = call("GET", f"/api/requests/{answer['rq_id']}")[1]
            if request["status"] in ("finished", "failed"):
                break
            time.sleep(0.05)
        if request["status"] == "failed":
            return "refused", request["message"]
        task = call("GET", f"/api/tasks/{number}")[1]
        meta = call("GET", f"/api/tasks/{number}/data/meta")[1]
        jobs = call("GET", f"/api/jobs?task_id={number}&type=annotation&sort=id")[1]["results"]
        names = [frame["name"] for frame in meta["frames"]]
        seen = {
            **meta,
            **task,
            "upload_file_order": names,
            "job_file_mapping": [names[job["start_frame"] : job["stop_frame"] + 1] for job in jobs],
            "use_zip_chunks": task["data_compressed_chunk_type"] == "imageset",
        }
        found = read_as[field](seen) if field in read_as else seen.get(field)
        return ("stored", None) if found == value else ("dropped", found)


@check
def data_of_tasks(context):
    names = [image.name for image in images]
    given = {
        "upload_file_order": names[::-1],
        "job_file_mapping": [names[:2], names[2:]],
        "validation_params": {"mode": "gt", "frame_selection_method": "manual", "frames": names[:1]},
        "server_files": ["/no/such/folder/a.png"],
        "client_files": names,
    }
    check_cases([DataCase("DataRequest", "POST", "", lambda: {})], given)


@check
def every_request_model_is_sent_or_named(_context):
    is_model = re.compile(r"(?!I[A-Z])\w+Request$").match
    names = {name for name in dir(models) if is_model(name)}
    expect(names - sent_models - set(elsewhere), set())


run_signed_in()
