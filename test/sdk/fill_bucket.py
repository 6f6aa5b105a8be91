"""Fills the buckets of a moto server with boto3, and makes keys: one that may do everything, one for another bucket."""

import json
import sys
import urllib.request
from pathlib import Path

import boto3

url, image_folder = sys.argv[1:3]
common = {"endpoint_url": url, "region_name": "eu-central-1"}
anyone = {"aws_access_key_id": "setup", "aws_secret_access_key": "setup"}
s3 = boto3.client("s3", **common, **anyone)
place = {"CreateBucketConfiguration": {"LocationConstraint": "eu-central-1"}}
for bucket in ("street-archive", "other"):
    s3.create_bucket(Bucket=bucket, **place)

images = sorted(Path(image_folder).iterdir())
for image in images:
    s3.upload_file(str(image), "street-archive", f"2026/north gate/{image.name}")
s3.put_object(Bucket="street-archive", Key="2026/notes.txt", Body=b"no image")
lines = [{"version": "1.1"}, {"type": "images"}]
lines += [{"name": f"north gate/{image.stem}", "extension": image.suffix, "width": 64, "height": 48} for image in images]
s3.put_object(Bucket="street-archive", Key="2026/manifest.jsonl", Body="\n".join(map(json.dumps, lines)).encode())

iam = boto3.client("iam", **common, **anyone)


def key_for(user, resource):
    statement = [{"Effect": "Allow", "Action": "s3:*", "Resource": resource}]
    iam.create_user(UserName=user)
    policy = json.dumps({"Version": "2012-10-17", "Statement": statement})
    iam.put_user_policy(UserName=user, PolicyName="p", PolicyDocument=policy)
    made = iam.create_access_key(UserName=user)["AccessKey"]
    return {"key": made["AccessKeyId"], "secret_key": made["SecretAccessKey"]}


keys = {"good": key_for("good", "*"), "other": key_for("other", "arn:aws:s3:::other*")}
# From here on, moto checks signatures and policies.
request = urllib.request.Request(
    f"{url}/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"}, method="POST"
)
urllib.request.urlopen(request).read()
print(json.dumps(keys))
