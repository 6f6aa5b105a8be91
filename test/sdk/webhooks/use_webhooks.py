"""Does with the webhooks of the unmodified cvat-sdk what its users do, against a receiver that is named last."""

import json
import sys
import time

from cvat_sdk import Client, models

url, user, password, receiver = sys.argv[1:5]
seen = {}

with Client(url) as client:
    client.login((user, password))
    api = client.api_client.webhooks_api
    project = client.projects.create({"name": "made by cvat-sdk", "labels": [{"name": "car"}]})

    events, _ = api.retrieve_events(type="project")
    seen["events"] = [event.key for event in events.events]
    webhook, response = api.create(
        models.WebhookWriteRequest(
            target_url=receiver,
            type="project",
            project_id=project.id,
            secret="between us",
            events=["update:project"],
        )
    )
    seen["created"] = [response.status, webhook.type.value, webhook.project_id, [event.value for event in webhook.events]]
    seen["secret"] = "secret" in webhook.to_dict()
    ping, _ = api.create_ping(webhook.id)
    seen["ping"] = [ping.event, ping.status_code, ping.attempt]

    project.update({"name": "renamed by cvat-sdk"})
    while True:
        page, _ = api.list_deliveries(webhook.id)
        if page.count == 2:
            break
        time.sleep(0.05)
    delivery = page.results[0]
    seen["delivery"] = [delivery.event, delivery.status_code, delivery.redelivery, delivery.changed_fields]
    seen["request"] = delivery.request["changes"]["name"]
    one, _ = api.retrieve_deliveries(str(delivery.id), webhook.id)
    seen["same"] = one.to_dict() == delivery.to_dict()

    api.create_deliveries_redelivery(str(delivery.id), webhook.id)
    while api.list_deliveries(webhook.id)[0].count < 3:
        time.sleep(0.05)
    seen["redelivery"] = api.list_deliveries(webhook.id)[0].results[0].redelivery

    changed, _ = api.partial_update(
        webhook.id, patched_webhook_write_request=models.PatchedWebhookWriteRequest(is_active=False)
    )
    seen["last_status"] = changed.last_status
    replaced, _ = api.update(
        webhook.id,
        models.WebhookWriteRequest(target_url=receiver, type="project", project_id=project.id, events=["create:task"]),
    )
    seen["replaced"] = [event.value for event in replaced.events]
    seen["listed"] = [one.id == webhook.id for one in api.list(project_id=project.id)[0].results]
    seen["retrieved"] = api.retrieve(webhook.id)[0].id == webhook.id
    seen["destroyed"] = api.destroy(webhook.id)[1].status
    seen["left"] = api.list()[0].count

print(json.dumps(seen))
