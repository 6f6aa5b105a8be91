"""Cloud storages by the unmodified cvat-sdk, on a real S3 server."""

import io
import json
import sys
import urllib.parse
import zipfile
from pathlib import Path

import PIL.Image
from checks import check, expect
from cvat_sdk import exceptions, models
from cvat_sdk.core.proxies.tasks import ResourceType
from cvat_sdk.core.proxies.types import Location
from raw_calls import call
from world import folder, images, release, run_signed_in

place = json.loads(sys.argv[6])
"""Address of the S3 server, its keys, and an Azure container with its signature."""
attributes = urllib.parse.urlencode({"region": "eu-central-1", "endpoint_url": place["url"]})


def storage_spec(**more):
    spec = {
        "provider_type": "AWS_S3_BUCKET",
        "resource": "street-archive",
        "display_name": "Street archive",
        "credentials_type": "KEY_SECRET_KEY_PAIR",
        **place["keys"]["good"],
        "specific_attributes": attributes,
        "manifests": ["2026/manifest.jsonl"],
    }
    return models.CloudStorageWriteRequest(**{**spec, **more})


def refused(spec, api):
    try:
        api.create(spec)
    except exceptions.ApiException as error:
        return error.status, str(error.body)
    raise AssertionError("was created")


def names(content):
    return [(str(entry.type), entry.name, entry.mime_type) for entry in content.content]


@check
def a_bucket_is_connected_and_its_keys_are_not_answered(context):
    api = context.client.api_client.cloudstorages_api
    storage, response = api.create(storage_spec())
    context.storage = storage.id
    expect((storage.display_name, storage.resource, storage.manifests), ("Street archive", "street-archive", ["2026/manifest.jsonl"]))
    secret = place["keys"]["good"]["secret_key"]
    for answer in (response, api.retrieve(storage.id)[1], api.list()[1]):
        expect(secret in answer.data.decode(), False)
    expect(storage.id in [one.id for one in api.list(name="Street archive")[0].results], True)


@check
def a_wrong_key_another_bucket_and_a_missing_manifest_are_refused_in_words(context):
    api = context.client.api_client.cloudstorages_api
    status, text = refused(storage_spec(**place["keys"]["other"]), api)
    expect((status, "forbidden" in text), (400, True), text)
    status, text = refused(storage_spec(secret_key="x" * 40), api)
    expect((status, "forbidden" in text), (400, True), text)
    status, text = refused(storage_spec(resource="absent"), api)
    expect((status, "does not exist" in text), (400, True), text)
    status, text = refused(storage_spec(manifests=["absent.jsonl"]), api)
    expect((status, "absent.jsonl" in text), (400, True), text)


@check
def its_content_is_listed_by_prefix_and_by_manifest(context):
    api = context.client.api_client.cloudstorages_api
    listed, _ = api.retrieve_content_v2(context.storage)
    expect(("DIR", "2026", "DIR") in names(listed), True)
    listed, _ = api.retrieve_content_v2(context.storage, prefix="2026/")
    expect(names(listed), [("DIR", "north gate", "DIR"), ("REG", "manifest.jsonl", "unknown"), ("REG", "notes.txt", "unknown")])
    files = [("REG", image.name, "image") for image in images]
    listed, _ = api.retrieve_content_v2(context.storage, prefix="2026/north gate/")
    expect(names(listed), files)
    listed, _ = api.retrieve_content_v2(context.storage, manifest_path="2026/manifest.jsonl", prefix="2026/north gate/")
    expect(names(listed), files)


@check
def its_content_is_paged(context):
    api = context.client.api_client.cloudstorages_api
    for more in ({}, {"manifest_path": "2026/manifest.jsonl"}):
        found, token = [], {}
        while token is not None:
            page, _ = api.retrieve_content_v2(context.storage, prefix="2026/north gate/", page_size=2, **token, **more)
            expect(len(page.content) <= 2, True)
            found += [entry.name for entry in page.content]
            token = {"next_token": page.next} if page.next else None
        expect(found, [image.name for image in images])


@check
def its_status_actions_and_preview_are_answered(context):
    api = context.client.api_client.cloudstorages_api
    expect(json.loads(api.retrieve_status(context.storage)[1].data), "AVAILABLE")
    expect(json.loads(api.retrieve_actions(context.storage)[1].data), "read,write")
    _, response = api.retrieve_preview(context.storage, _parse_response=False)
    expect(PIL.Image.open(io.BytesIO(response.data)).format, "JPEG")


def bucket_task(context, **data):
    spec = {"name": "from a bucket", "labels": [{"name": "car"}], "segment_size": 3}
    params = {"image_quality": 80, "cloud_storage_id": context.storage, "use_cache": True, **data}
    files = params.pop("files")
    task = context.client.tasks.create_from_data(
        spec, resource_type=ResourceType.SHARE, resources=files, data_params=params
    )
    return task


@check
def a_task_shows_the_images_of_a_prefix(context):
    task = bucket_task(context, files=["2026/north gate/"])
    context.task = task
    expect((task.size, task.data_cloud_storage_id), (len(images), context.storage))
    meta = task.get_meta()
    expect(str(meta.storage), "cloud_storage")
    expect(meta.cloud_storage_id, context.storage)
    expect([frame.name for frame in meta.frames], [f"2026/north gate/{image.name}" for image in images])
    expect({(frame.width, frame.height) for frame in meta.frames}, {(64, 48)})
    for number, image in enumerate(images):
        expect(task.get_frame(number, quality="original").read(), image.read_bytes(), image.name)
    expect(PIL.Image.open(task.get_frame(0, quality="compressed")).size, (64, 48))
    expect(PIL.Image.open(task.get_preview()).size, (64, 48))
    _, response = context.client.api_client.tasks_api.retrieve_data(
        task.id, type="chunk", number=0, quality="compressed", _parse_response=False
    )
    with zipfile.ZipFile(io.BytesIO(response.data)) as chunk:
        expect(len(chunk.namelist()), len(images))


@check
def a_task_shows_the_images_of_a_manifest_and_of_a_pattern(context):
    task = bucket_task(context, files=["2026/manifest.jsonl"])
    expect(task.size, len(images))
    task = bucket_task(context, files=["2026/manifest.jsonl"], filename_pattern="*-00[13].*")
    names = [frame.name for frame in task.get_meta().frames]
    expect(names, [f"2026/north gate/{images[1].name}", f"2026/north gate/{images[3].name}"])
    chosen = [f"2026/north gate/{images[2].name}"]
    task = bucket_task(context, files=["2026/manifest.jsonl", *chosen])
    expect([frame.name for frame in task.get_meta().frames], chosen)


@check
def a_manifest_that_limner_writes_lists_the_images_and_opens_a_task(context):
    path = f"written-{release}.jsonl"
    body = {"prefix": "2026/north gate/", "path": path}
    status, started = call("POST", f"/api/limner/cloudstorages/{context.storage}/manifest", body)
    expect(status, 202, str(started))
    context.client.wait_for_completion(started["rq_id"])
    api = context.client.api_client.cloudstorages_api
    expect(path in api.retrieve(context.storage)[0].manifests, True)
    listed, _ = api.retrieve_content_v2(context.storage, manifest_path=path, prefix="2026/north gate/")
    expect(names(listed), [("REG", image.name, "image") for image in images])
    task = bucket_task(context, files=[path])
    expect([frame.name for frame in task.get_meta().frames], [f"2026/north gate/{image.name}" for image in images])
    expect({(frame.width, frame.height) for frame in task.get_meta().frames}, {(64, 48)})
    expect(task.get_frame(0, quality="original").read(), images[0].read_bytes())


@check
def a_task_of_absent_objects_is_refused_in_words(context):
    try:
        bucket_task(context, files=["2026/absent.jpg"])
    except Exception as error:
        expect("is not in the bucket street-archive" in str(error), True, str(error))
    else:
        raise AssertionError("was created")


@check
def a_dataset_of_the_task_has_the_images(context):
    archive = folder / "dataset.zip"
    context.task.export_dataset("COCO 1.0", archive, include_images=True)
    with zipfile.ZipFile(archive) as file:
        found = {Path(name).name: file.read(name) for name in file.namelist() if name.endswith(".jpg")}
    expect(found, {image.name: image.read_bytes() for image in images})
    backup = folder / "backup.zip"
    context.task.download_backup(backup)
    restored = context.client.tasks.create_from_backup(backup)
    expect(restored.get_frame(1, quality="original").read(), images[1].read_bytes())


@check
def exports_are_written_to_the_bucket_and_imported_from_it(context):
    task, storage = context.task, context.storage
    (label,) = task.get_labels()
    task.set_annotations(
        models.LabeledDataRequest(
            shapes=[models.LabeledShapeRequest(type="rectangle", frame=1, label_id=label.id, points=[1, 2, 11, 12])]
        )
    )
    place = {"location": Location.CLOUD_STORAGE, "cloud_storage_id": storage}
    name = f"exports/{release}-dataset.zip"
    expect(task.export_dataset("COCO 1.0", name, include_images=False, **place), None)
    expect(task.download_backup(f"exports/{release}-backup.zip", **place), None)
    api = context.client.api_client
    listed, _ = api.cloudstorages_api.retrieve_content_v2(storage, prefix="exports/" + release)
    expect([entry.name for entry in listed.content], [f"{release}-backup.zip", f"{release}-dataset.zip"])
    requests, _ = api.requests_api.list(task_id=task.id, subresource="annotations")
    expect([request.result_url for request in requests.results], [None])

    task.remove_annotations()
    query = {"location": "cloud_storage", "cloud_storage_id": storage, "filename": name}
    _, started = api.tasks_api.create_annotations(task.id, format="COCO 1.0", **query)
    context.client.wait_for_completion(json.loads(started.data)["rq_id"])
    expect([list(shape.points) for shape in task.get_annotations().shapes], [[1.0, 2.0, 11.0, 12.0]])
    _, started = api.tasks_api.create_backup(**{**query, "filename": f"exports/{release}-backup.zip"})
    finished, _ = context.client.wait_for_completion(json.loads(started.data)["rq_id"])
    expect(context.client.tasks.retrieve(finished.result_id).size, len(images))


@check
def an_export_that_the_bucket_refuses_fails_in_words(context):
    try:
        context.task.export_dataset("COCO 1.0", "x.zip", location=Location.CLOUD_STORAGE, cloud_storage_id=987654)
    except exceptions.ApiException as error:
        expect((error.status, "no cloud storage with the id" in str(error.body)), (400, True), str(error.body))
    else:
        raise AssertionError("was exported")


@check
def a_storage_with_tasks_stays(context):
    try:
        context.client.api_client.cloudstorages_api.destroy(context.storage)
    except exceptions.ApiException as error:
        expect((error.status, "have their images in it" in str(error.body)), (400, True), str(error.body))
    else:
        raise AssertionError("was deleted")


@check
def it_is_changed_and_deleted(context):
    api = context.client.api_client.cloudstorages_api
    storage, _ = api.create(storage_spec(display_name="Second"))
    changed, _ = api.partial_update(storage.id, patched_cloud_storage_write_request={"display_name": "Renamed"})
    expect((changed.display_name, changed.resource), ("Renamed", "street-archive"))
    expect(json.loads(api.retrieve_status(storage.id)[1].data), "AVAILABLE", "keys stay")
    try:
        api.partial_update(storage.id, patched_cloud_storage_write_request={"specific_attributes": f"{attributes}&prefix=x"})
        raise AssertionError("the key was sent to another address")
    except exceptions.ApiException as error:
        expect(error.status, 400)
    api.destroy(storage.id)
    expect(len(api.list(name="Renamed")[0].results), 0)


@check
def an_azure_container_is_connected_by_a_shared_access_signature(context):
    api = context.client.api_client.cloudstorages_api
    azure = place["azure"]
    spec = dict(provider_type="AZURE_CONTAINER", resource="archive", display_name="Azure")
    text = f"BlobEndpoint={azure['url']};SharedAccessSignature={azure['signature']}"
    storage, _ = api.create(
        models.CloudStorageWriteRequest(**spec, credentials_type="CONNECTION_STRING", connection_string=text)
    )
    listed, _ = api.retrieve_content_v2(storage.id, prefix="a b/")
    expect(names(listed), [("REG", image.name, "image") for image in images])
    _, response = api.retrieve_preview(storage.id, _parse_response=False)
    expect(PIL.Image.open(io.BytesIO(response.data)).format, "JPEG")
    wrong = text.replace("sig=", "sig=AAAA")
    status, answer = refused(
        models.CloudStorageWriteRequest(**spec, credentials_type="CONNECTION_STRING", connection_string=wrong), api
    )
    expect((status, "forbidden" in answer), (400, True), answer)


run_signed_in()
