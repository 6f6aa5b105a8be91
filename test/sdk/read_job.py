"""Reads a job as the unmodified cvat-sdk sees it, without ids, and with frame numbers that begin with 0."""

import hashlib
import json
import sys

from cvat_sdk import Client
from world import config, password, url, user


def names_of(labels):
    """Names of labels, and of attributes by their negative ids."""
    names = {}
    for label in labels:
        names[label.id] = label.name
        names |= {-attribute.id: attribute.name for attribute in label.attributes}
        names |= names_of(getattr(label, "sublabels", []) or [])
    return names


with Client(url, config=config) as client:
    client.login((user, password))
    job = client.jobs.retrieve(int(sys.argv[6]))
    names = names_of(job.get_labels())

    def plain(value):
        if isinstance(value, list):
            return [plain(one) for one in value]
        if not isinstance(value, dict):
            return value
        known = {
            "label_id": lambda one: names[one],
            "spec_id": lambda one: names[-one],
            "frame": lambda one: one - job.start_frame,
        }
        return {key: known.get(key, plain)(one) for key, one in value.items() if key != "id"}

    # Pulled comments begin with the name of their author.
    author = f"{user}: "
    deleted = set(job.get_meta().deleted_frames)
    frames = [frame for frame in range(job.start_frame, job.stop_frame + 1) if frame not in deleted]
    annotations = plain(json.loads(client.api_client.jobs_api.retrieve_annotations(job.id)[1].data))
    print(
        json.dumps(
            {
                "stage": str(job.stage),
                "state": str(job.state),
                "deleted": sorted(frame - job.start_frame for frame in deleted),
                "frames": [
                    hashlib.sha256(job.get_frame(frame, quality="original").read()).hexdigest() for frame in frames
                ],
                "annotations": {
                    kind: sorted(annotations[kind], key=lambda one: json.dumps(one, sort_keys=True))
                    for kind in ("tags", "shapes", "tracks")
                },
                "issues": sorted(
                    [issue.frame - job.start_frame, list(issue.position), issue.resolved]
                    + [comment.message.removeprefix(author) for comment in sorted(issue.get_comments(), key=lambda one: one.id)]
                    for issue in job.get_issues()
                ),
            }
        )
    )
