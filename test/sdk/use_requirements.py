"""Quality requirements, and their results in reports, read by the unmodified cvat-sdk 2.80 into its own types."""

import io
import json
import zipfile

from checks import check, expect
from cvat_sdk import models
from typed_reads import read
from world import compared_task, report_of, run_signed_in


def requirement(settings, name, **values):
    return models.QualityRequirementRequest(settings_id=settings.id, name=name, **values)


@check
def settings_have_a_base_requirement(context):
    context.api = context.client.api_client.quality_api
    context.task, context.truth = compared_task(context.client)
    found, _ = context.api.list_settings(task_id=context.task.id)
    (context.settings,) = found.results
    (base,) = context.settings.requirements
    expect((base.is_base, base.point_size, str(base.metric)), (True, 0.09, "accuracy"))
    context.base = base


@check
def requirements_are_created_changed_and_deleted(context):
    api = context.api
    made = read(api.create_settings_requirements, quality_requirement_request=requirement(context.settings, "points"))
    expect((made.iou_threshold, made.effective["iou_threshold"]), (None, 0.4))
    patch = models.PatchedQualityRequirementRequest(annotation_type="points", metric="mean_dice", point_size=0.001)
    changed = read(api.partial_update_settings_requirements, made.id, patched_quality_requirement_request=patch)
    expect((str(changed.annotation_type), str(changed.metric), changed.point_size), ("points", "mean_dice", 0.001))
    replaced = read(
        api.update_settings_requirements,
        made.id,
        quality_requirement_request=requirement(context.settings, "exact points", required_score=0.9),
    )
    expect((replaced.name, replaced.required_score, replaced.point_size), ("exact points", 0.9, 0.001))
    listed = read(api.list_settings_requirements, settings_id=context.settings.id)
    expect([one.name for one in listed.results], [context.base.name, "exact points"])
    gone = read(api.create_settings_requirements, quality_requirement_request=requirement(context.settings, "gone"))
    api.destroy_settings_requirements(gone.id)
    context.points = read(api.retrieve_settings_requirements, made.id)


@check
def a_hierarchy_at_once(context):
    node = models.QualityRequirementBulkCreateNodeRequest
    tree = node(name="tags", annotation_type="tag", children=[node(name="tags below", enabled=False)])
    request = models.QualityRequirementBulkCreateRequest(settings_id=context.settings.id, requirements=[tree])
    above, below = read(context.api.create_settings_requirements_bulk, request)
    expect((below.parent_requirement, str(below.effective["annotation_type"])), (above.id, "tag"))


@check
def a_report_with_requirements(context):
    context.report_id = report_of(context.client, task_id=context.task.id)
    summary = read(context.api.retrieve_report, context.report_id).summary
    found = summary.requirements
    expect((found.total, found.enabled, found.completed, found.not_computed), (4, 3, 2, 1))
    expect([(one.name, one.score) for one in found.items], [(context.base.name, 1.0), ("exact points", 0.0), ("tags", None)])
    expect(found.items[2].calculation.reason.value, "no_annotations")
    expect((summary.jobs.total, summary.jobs.completed), (1, 0))


@check
def conflicts_of_requirements(context):
    found = read(context.api.list_conflicts, report_id=context.report_id, severity="error")
    expect(sorted(conflict.type for conflict in found.results), ["extra_annotation", "missing_annotation"])
    expect([(str(one.severity), one.attribute_names) for one in found.results], [("error", [])] * 2)


@check
def confusion_matrices(context):
    api = context.api
    matrix = read(api.retrieve_report_requirement_confusion, context.report_id, context.points.id)
    expect((matrix.labels, matrix.rows), (["car", "bus", "unmatched"], [[0, 0, 1], [0, 0, 0], [1, 0, 0]]))
    _, response = api.retrieve_report_requirement_confusion(
        context.report_id, context.points.id, format="csv", _parse_response=False
    )
    expect(response.data.decode().splitlines()[0], "label,car,bus,unmatched,precision")
    _, response = api.retrieve_report_confusion(context.report_id, _parse_response=False)
    names = zipfile.ZipFile(io.BytesIO(response.data)).namelist()
    expect(sorted(names), ["groups/base-requirement.csv", "groups/exact-points.csv", "groups/tags.csv"])


@check
def data_of_a_report(context):
    _, response = context.api.retrieve_report_data(context.report_id, _parse_response=False)
    data = json.loads(response.data)
    expect(data["groups"]["exact points"]["comparison_summary"]["score"], 0.0)


@check
def settings_with_requirements_are_replaced(context):
    item = models.QualityRequirementListItemRequest
    request = models.QualitySettingsRequest(
        requirements=[item(name=context.base.name, iou_threshold=0.5), item(name="new", metric="jaccard_index")]
    )
    settings = read(context.api.update_settings, context.settings.id, quality_settings_request=request)
    names = {one.name: one for one in settings.requirements}
    expect((names[context.base.name].iou_threshold, str(names["new"].metric)), (0.5, "jaccard_index"))
    expect("exact points" in names, True)


run_signed_in()
