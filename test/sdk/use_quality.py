"""Quality reports, settings and conflicts, read by the unmodified cvat-sdk 2.73 into its own types."""

import json

from checks import check, expect
from cvat_sdk import models
from world import compared_task, report_of, run_signed_in


@check
def a_report_of_a_task(context):
    context.task, context.truth = compared_task(context.client)
    context.report_id = report_of(context.client, task_id=context.task.id)
    report, _ = context.client.api_client.quality_api.retrieve_report(context.report_id)
    summary = report.summary
    expect((report.task_id, report.target.value), (context.task.id, "task"))
    expect((summary.frame_count, summary.frame_share), (2, 2 / context.task.size))
    expect((summary.valid_count, summary.total_count, summary.accuracy), (1, 1, 1.0))
    expect((summary.jobs.total, summary.jobs.included), (1, 1))
    expect("tasks" in summary.to_dict(), False)


@check
def reports_of_jobs_in_lists(context):
    api = context.client.api_client.quality_api
    found, _ = api.list_reports(parent_id=context.report_id)
    expect([report.target.value for report in found.results], ["job"])
    expect("jobs" in found.results[0].summary.to_dict(), False)
    found, _ = api.list_reports(task_id=context.task.id)
    expect(found.count, 2)


@check
def data_of_a_report(context):
    _, response = context.client.api_client.quality_api.retrieve_report_data(context.report_id, _parse_response=False)
    matrix = json.loads(response.data)["comparison_summary"]["annotations"]["confusion_matrix"]
    expect((matrix["labels"], matrix["rows"]), (["car", "bus", "unmatched"], [[1, 0, 0], [0, 0, 0], [0, 0, 0]]))


@check
def settings_sent_back_whole(context):
    api = context.client.api_client.quality_api
    found, _ = api.list_settings(task_id=context.task.id)
    (settings,) = found.results
    fields = {
        name: value
        for name, value in settings.to_dict().items()
        if name not in ("id", "task_id", "project_id", "created_date", "updated_date")
    }
    fields["oks_sigma"] = 0.001
    request = models.PatchedQualitySettingsRequest(**fields)
    changed, _ = api.partial_update_settings(settings.id, patched_quality_settings_request=request)
    expect((changed.oks_sigma, changed.iou_threshold), (0.001, settings.iou_threshold))


@check
def conflicts_of_a_report(context):
    report_id = report_of(context.client, task_id=context.task.id)
    found, _ = context.client.api_client.quality_api.list_conflicts(report_id=report_id)
    expect(sorted(conflict.type for conflict in found.results), ["extra_annotation", "missing_annotation"])
    for conflict in found.results:
        expect([str(annotation.shape_type) for annotation in conflict.annotation_ids], ["points"])


@check
def a_report_of_a_project_without_anything_to_compare(context):
    project = context.client.projects.create(spec={"name": "empty", "labels": [{"name": "car"}]})
    report_id = report_of(context.client, project_id=project.id)
    report, _ = context.client.api_client.quality_api.retrieve_report(report_id)
    expect((report.target.value, report.project_id, report.summary.tasks.total), ("project", project.id, 0))


run_signed_in()
