"""Reads of the API as the types of the unmodified cvat-sdk, with a comparison of their keys with those of the answer."""

import json

from checks import expect

# Keys of the client's types that CVAT leaves out of some objects, too.
optional = {
    "Label": {"project_id", "task_id", "svg"},
    "Sublabel": {"svg", "parent_id", "sublabels", "project_id", "task_id"},
    "AccessTokenRead": {"value"},
    "WebhookRead": {"last_status", "last_delivery_date"},
    "QualityReportSummary": {"jobs", "tasks"},
    "QualityReportRequirementCalculation": {"reason"},
}
# Keys of Limner's own.
own = {"JobsSummary": {"in_progress"}, "WebhookRead": {"project"}, "ConsensusSettings": {"quorum"}}


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
