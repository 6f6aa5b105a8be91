"""Empty classes in the places of packages that a program imports and does not use here."""

import importlib.machinery
import types


class EmptyClass(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return UserWarning if name.endswith("Warning") else Empty


class Empty(metaclass=EmptyClass):
    def __init__(self, *_arguments, **_named):
        pass

    def __call__(self, *arguments, **_named):
        return arguments[0] if arguments and callable(arguments[0]) else self

    def __class_getitem__(cls, _item):
        return cls


class EmptyModule(types.ModuleType):
    # New enough for whoever asks.
    __version__ = "2.9.0"
    __path__: list = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Empty,), {})


class Finder:
    """Finds an empty module wherever `is_absent` says so of the parts of its name."""

    def __init__(self, is_absent):
        self.is_absent = is_absent

    def find_spec(self, name, _path=None, _target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if self.is_absent(name.split(".")) else None

    def create_module(self, spec):
        return EmptyModule(spec.name)

    def exec_module(self, _module):
        pass
