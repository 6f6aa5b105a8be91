"""Runs a Qt program with its window over the complete screen, as there is no window manager.

Each line of standard input is Python code that runs in the program; `window` is its main window.
"""

import importlib
import sys

binding, package, function, *arguments = sys.argv[1:]
core = importlib.import_module(f"{binding}.QtCore")
widgets = importlib.import_module(f"{binding}.QtWidgets")


def with_commands(execute):
    def run(*given):
        shown = [window for window in widgets.QApplication.topLevelWidgets() if window.isVisible()]
        window = max(shown, key=lambda one: one.width() * one.height())
        window.setGeometry(0, 0, 1920, 1080)
        notifier = core.QSocketNotifier(0, core.QSocketNotifier.Type.Read)

        def command(*_):
            line = sys.stdin.readline()
            notifier.setEnabled(line != "")
            exec(line, {"window": window})

        notifier.activated.connect(command)
        return execute(*given)

    return run


for name in ("exec", "exec_"):
    if hasattr(widgets.QApplication, name):
        setattr(widgets.QApplication, name, staticmethod(with_commands(getattr(widgets.QApplication, name))))
sys.argv = [package, *arguments]
sys.exit(getattr(importlib.import_module(package), function)())
