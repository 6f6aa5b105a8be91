"""Runs the checks of a script one by one and prints what became of each: one line of JSON at the end."""

import json
import sys
import traceback

_checks = []


def check(function):
    """Marks a function as a check. Checks run in the order in which they stand; each gets the script's context."""
    _checks.append(function)
    return function


def run(context):
    results = {}
    for function in _checks:
        try:
            function(context)
            results[function.__name__] = None
        except BaseException:  # a failing check must not keep the others from running
            results[function.__name__] = traceback.format_exc()
    print(json.dumps(results))
    sys.stdout.flush()


def expect(actual, expected, what=""):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {actual!r}")
