"""Exports models of Ultralytics with random weights to ONNX, and writes what Ultralytics finds with them.

python ultralytics_exports.py FOLDER [NAME…]

Needs the packages of cpu_torch.sh. Nothing is downloaded: the models are built from the YAML files of the package.
"""
import base64, json, os, sys, random, zlib
from pathlib import Path
os.environ.setdefault("YOLO_OFFLINE", "true"); os.environ.setdefault("YOLO_AUTOINSTALL", "false")
import numpy as np, torch
from PIL import Image, ImageOps
from ultralytics import YOLO, settings
import ultralytics
out = Path(sys.argv[1]); out.mkdir(parents=True, exist_ok=True)
torch.set_num_threads(1)

def picture(seed, width, height):
    r = np.random.default_rng(seed)
    small = r.integers(0, 256, (max(2, height // 40), max(2, width // 40), 3), dtype=np.uint8)
    big = Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC)
    a = np.asarray(big).copy()
    for _ in range(12):
        x, y = int(r.integers(0, width - 20)), int(r.integers(0, height - 20)); w, h = int(r.integers(10, width // 3)), int(r.integers(10, height // 3))
        a[y:y + h, x:x + w] = r.integers(0, 256, 3)
    return Image.fromarray(a)

pictures = []
for i, (w, h) in enumerate([(640, 480), (375, 500), (320, 320)]):
    picture(i, w, h).save(out / f"{i}.png"); pictures.append(f"{i}.png")

def packed(mask):
    """Bits of a mask, row by row, compressed."""
    return base64.b64encode(zlib.compress(np.packbits(mask.numpy().astype(bool)).tobytes())).decode()

def prepared(yaml, task, seed, end2end):
    torch.manual_seed(seed); np.random.seed(seed); random.seed(seed)
    model = YOLO(yaml, task=task)
    net = model.model
    if hasattr(net, "end2end"): net.end2end = end2end
    # Statistics of the normalization layers from the pictures, so that random weights still tell places apart.
    size = 224 if task == "classify" else 320
    batch = torch.stack([torch.from_numpy(np.asarray(ImageOps.pad(Image.open(out / p).convert("RGB"), (size, size), color=(114, 114, 114))).copy()).permute(2, 0, 1).float() / 255 for p in pictures])
    net.train()
    for m in net.modules():
        if isinstance(m, torch.nn.BatchNorm2d): m.momentum = 0.5
    with torch.no_grad():
        for _ in range(8): net(batch)
    net.eval()
    head = net.model[-1]
    # Scores that spread without reaching 1, because the order of equal scores is arbitrary. About 15 boxes in a
    # picture are above the threshold.
    branches = [b[-1] for n in ("cv3", "one2one_cv3") for b in getattr(head, n, None) or []]
    with torch.no_grad():
        for last in branches:
            last.bias.zero_()
        if branches:
            found = net(batch)
            while isinstance(found, (tuple, list)): found = found[0]
            nc = len(model.names)
            scores = found[..., 4] if found.shape[-1] < 200 and found.shape[1] == 300 else found[:, 4:4 + nc].amax(1)
            logits = torch.logit(scores.double()).flatten().sort(descending=True).values
            factor = float(6 / (logits[0] - logits[40]))
            for last in branches: last.weight.mul_(factor); last.bias.fill_(float(-1.1 - factor * logits[40]))
        if task == "classify": head.linear.weight.mul_(30)
    return model

cases = [
    ("yolov8n.yaml", "detect", {}), ("yolov8n-seg.yaml", "segment", {}), ("yolov8n-pose.yaml", "pose", {}), ("yolov8n-obb.yaml", "obb", {}), ("yolov8n-cls.yaml", "classify", {}),
    ("yolo11n.yaml", "detect", {"dynamic": True}), ("yolo11n.yaml", "detect", {"half": True}), ("yolo11n-seg.yaml", "segment", {}), ("yolo11n-pose.yaml", "pose", {}), ("yolo11n-obb.yaml", "obb", {}), ("yolo11n-cls.yaml", "classify", {}),
    ("yolov8n.yaml", "detect", {"nms": True}), ("yolov8n-seg.yaml", "segment", {"nms": True}),
    ("yolo26n.yaml", "detect", {}), ("yolo26n-seg.yaml", "segment", {}), ("yolo26n-pose.yaml", "pose", {}), ("yolo26n-obb.yaml", "obb", {}), ("yolo26n-cls.yaml", "classify", {}),
    ("yolov10n.yaml", "detect", {}),
    # The end-to-end head, which needs no suppression.
    ("yolov10n.yaml", "detect", {"nms": False}), ("yolo26n.yaml", "detect", {"nms": False}), ("yolo26n-seg.yaml", "segment", {"nms": False}), ("yolo26n-pose.yaml", "pose", {"nms": False}), ("yolo26n-obb.yaml", "obb", {"nms": False}),
]
only = sys.argv[2:] 
result = {"version": ultralytics.__version__, "torch": torch.__version__, "models": []}
for number, (yaml, task, options) in enumerate(cases):
    end2end = options.get("nms") is False
    name = yaml[:-5] + ("-end2end" if end2end else "".join(f"-{k}" for k in options))
    if only and name not in only: continue
    try:
        model = prepared(yaml, task, number, end2end)
        size = 224 if task == "classify" else 320
        file = Path(model.export(format="onnx", imgsz=size, opset=17, simplify=False, verbose=False, **options))
        target = out / f"{name}.onnx"; os.replace(file, target)
        own = YOLO(str(target), task=task)
        found = {}
        for p in pictures:
            r = own.predict(str(out / p), conf=0.25, iou=0.7, imgsz=size, verbose=False, device="cpu", rect=False, retina_masks=True)[0]
            f = []
            if task == "classify": f = [{"label": r.names[int(i)], "score": float(r.probs.data[int(i)])} for i in r.probs.data.argsort(descending=True)[:5]]
            elif task == "obb":
                for b in r.obb: f.append({"label": r.names[int(b.cls)], "score": float(b.conf), "corners": b.xyxyxyxy[0].flatten().tolist()})
            else:
                for k, b in enumerate(r.boxes):
                    one = {"label": r.names[int(b.cls)], "score": float(b.conf), "box": b.xyxy[0].tolist()}
                    if task == "pose": one["points"] = r.keypoints.data[k].tolist()
                    if task == "segment": one["mask"] = packed(r.masks.data[k])
                    f.append(one)
            found[p] = f
        result["models"].append({"file": target.name, "task": task, "options": options, "found": found})
        print(name, {p: len(v) for p, v in found.items()}, flush=True)
    except Exception as e:
        print("FAILED", name, type(e).__name__, str(e)[:300], flush=True)
(out / "expected.json").write_text(json.dumps(result))
