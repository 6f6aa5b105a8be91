"""The end of a CVAT server: creates a task with two objects, or reads one, as the unmodified cvat-sdk sees it."""

import json
import sys

from cvat_sdk import Client, models
from world import config, new_task, password, shape, url, user

step, task_id = sys.argv[6], int(sys.argv[7])

with Client(url, config=config) as client:
    client.login((user, password))
    if step == "create":
        task = new_task(client, "witnessed", labels=[{"name": "car"}])
        (car,) = task.get_labels()
        drawn = [shape("rectangle", 0, car, [1.5, 2, 20, 30]), shape("polygon", 1, car, [1, 1, 9.25, 1, 9, 9])]
        task.update_annotations(models.PatchedLabeledDataRequest(shapes=drawn))
    else:
        task = client.tasks.retrieve(task_id)
    (job,) = task.get_jobs()
    names = {label.id: label.name for label in task.get_labels()}
    shapes = sorted(task.get_annotations().shapes, key=lambda one: one.id)
    print(
        json.dumps(
            {
                "task": task.id,
                "job": job.id,
                "state": str(job.state),
                "shapes": [
                    {"id": one.id, "label": names[one.label_id], "frame": one.frame, "points": list(one.points)}
                    for one in shapes
                ],
                "comments": [comment.message for issue in job.get_issues() for comment in issue.get_comments()],
            }
        )
    )
