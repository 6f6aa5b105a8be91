"""
What cvat-sdk's PyTorch adapter takes from torch and torchvision, on numpy: the packages themselves would be gigabytes of
an environment, and nothing that is asked here depends on how tensors compute. Where they are installed they are used.
"""

import sys
import types

import numpy as np


class VisionDataset:
    """As torchvision's: a root, and transforms of the picture, of its target, or of both."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.root = root

        def both(picture, target):
            return (transform or (lambda value: value))(picture), (target_transform or (lambda value: value))(target)

        self.transforms = both if transform is not None or target_transform is not None else transforms


class ConcatDataset:
    def __init__(self, datasets):
        self.samples = [(dataset, index) for dataset in datasets for index in range(len(dataset))]

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        dataset, inner = self.samples[index]
        return dataset[inner]


def install():
    try:
        import torch  # noqa: F401
        import torchvision  # noqa: F401
    except ImportError:
        torch, torchvision = types.ModuleType("torch"), types.ModuleType("torchvision")
        torch.Tensor = np.ndarray
        torch.long, torch.float, torch.uint8 = np.int64, np.float32, np.uint8
        torch.tensor, torch.as_tensor, torch.empty, torch.stack = np.array, np.asarray, np.empty, np.stack
        torch.utils, data = types.ModuleType("torch.utils"), types.ModuleType("torch.utils.data")
        torch.utils.data, data.ConcatDataset = data, ConcatDataset
        torchvision.datasets = types.ModuleType("torchvision.datasets")
        torchvision.datasets.VisionDataset = VisionDataset
        for module in (torch, torch.utils, data, torchvision, torchvision.datasets):
            sys.modules[module.__name__] = module
