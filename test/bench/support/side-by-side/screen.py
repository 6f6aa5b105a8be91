"""Presses keys and moves the mouse by XTest, and polls pixels. Reads commands and prints results as lines of JSON.

All times are in milliseconds. `at` is the time since the epoch, so that the caller can measure from its own start.
"""

import json
import sys
import time

from Xlib import X, XK, display
from Xlib.ext import xtest

WIDTH, HEIGHT = 1920, 1080
BYTES = 4
ALL_PLANES = 0xFFFFFFFF
# Rows that are compared to find a change anywhere on the screen.
ROWS = range(12, HEIGHT, 24)
# Rows on which the colour of an image is looked for.
COLOR_ROWS = (380, 540, 700)
# A caret or a clock changes fewer pixels.
LEAST_CHANGED = 24
LEAST_SHARE = 0.25
TOLERANCE = 48
# A window that is not painted yet has only a few colours.
LEAST_COLORS = 12

screen_display = display.Display()
root = screen_display.screen().root


def pixels(x, y, width, height):
    return root.get_image(x, y, width, height, X.ZPixmap, ALL_PLANES).data


def now():
    return time.time() * 1000


def has_color(row, color, step=8):
    red, green, blue = color
    near = range(0, len(row), BYTES * step)
    found = sum(
        abs(row[at + 2] - red) < TOLERANCE and abs(row[at + 1] - green) < TOLERANCE and abs(row[at] - blue) < TOLERANCE
        for at in near
    )
    return found >= LEAST_SHARE * len(near)


def shows(color):
    return all(has_color(pixels(0, y, WIDTH, 1), color) for y in COLOR_ROWS)


def send(kind, detail=0, x=0, y=0):
    xtest.fake_input(screen_display, kind, detail, x=x, y=y)


def act(action):
    """Sends the input of a command and returns its time."""
    kind = action[0] if action else None
    if kind == "key":
        code = screen_display.keysym_to_keycode(XK.string_to_keysym(action[1]))
        send(X.KeyPress, code)
        send(X.KeyRelease, code)
    elif kind == "click":
        send(X.MotionNotify, x=action[1], y=action[2])
        send(X.ButtonPress, 1)
        send(X.ButtonRelease, 1)
    elif kind == "move":
        send(X.MotionNotify, x=action[1], y=action[2])
    elif kind in ("press", "release"):
        send(X.ButtonPress if kind == "press" else X.ButtonRelease, 1)
    screen_display.sync()
    return now()


def focus():
    """Gives the keyboard to the largest window. There is no window manager that does it."""
    windows = [window for window in root.query_tree().children if window.get_attributes().map_state == X.IsViewable]
    largest = max(windows, key=lambda window: window.get_geometry().width * window.get_geometry().height)
    largest.set_input_focus(X.RevertToParent, X.CurrentTime)
    screen_display.sync()
    return {}


def painted(color, timeout, action=None):
    began = act(action)
    while not shows(color):
        if now() - began > timeout:
            return {"error": f"not painted after {timeout / 1000:g} s"}
        time.sleep(0.001)
    at = now()
    return {"ms": at - began, "at": at}


def changed(before, after):
    if before == after:
        return 0
    return sum(one != other for one, other in zip(memoryview(before).cast("I"), memoryview(after).cast("I")))


def look(left, width):
    return [pixels(left, y, width, 1) for y in ROWS]


def still(quiet, timeout, action=None, left=0, width=WIDTH, least_colors=LEAST_COLORS):
    """Waits until nothing has changed for `quiet`. The result is the time of the last change."""
    before = look(left, width)
    began = act(action)
    last = None
    while True:
        after = look(left, width)
        at = now()
        if sum(changed(one, other) for one, other in zip(before, after)) >= LEAST_CHANGED:
            last, before = at, after
        if last is not None and at - last > quiet:
            colors = {pixel for row in after for pixel in memoryview(row).cast("I")[::4]}
            if len(colors) >= least_colors:
                return {"ms": last - began, "at": last}
        if at - began > timeout:
            return {"error": f"still changing, or nothing changed, after {timeout / 1000:g} s"}
        time.sleep(0.01)


def find(color):
    """Bounding box of a colour on the screen."""
    step = 4
    xs, ys = [], []
    for y in range(0, HEIGHT, step):
        row = pixels(0, y, WIDTH, 1)
        if not has_color(row, color, step):
            continue
        ys.append(y)
        xs += [
            at // BYTES
            for at in range(0, len(row), BYTES * step)
            if abs(row[at + 2] - color[0]) < TOLERANCE
            and abs(row[at + 1] - color[1]) < TOLERANCE
            and abs(row[at] - color[2]) < TOLERANCE
        ]
    if not xs:
        return {"error": "the colour is not on the screen"}
    return {"left": min(xs), "top": min(ys), "right": max(xs), "bottom": max(ys)}


def drag(x, y, moves, limit):
    """Drags what is at a point. The result is the time from each move until the first changed pixel around it."""
    around = (x - 130, y - 130, 260, 260)
    act(["move", x - 3, y])
    time.sleep(0.3)
    act(["move", x, y])
    # Hovering may highlight the shape.
    time.sleep(1)
    act(["press"])
    time.sleep(1)
    times = []
    began = now()
    for index in range(1, moves + 1):
        before = pixels(*around)
        sent = act(["move", x + 4 * index, y + 2 * index])
        while pixels(*around) == before:
            if now() - sent > limit:
                act(["release"])
                return {"error": f"nothing moved after {limit / 1000:g} s", "times": times}
            time.sleep(0.001)
        times.append(now() - sent)
        if now() - began > limit:
            break
        time.sleep(0.05)
    return {"times": times, "at": act(["release"])}


def save(path):
    """Writes the screen as a PPM file, to check a measurement."""
    data = pixels(0, 0, WIDTH, HEIGHT)
    rgb = bytearray(WIDTH * HEIGHT * 3)
    rgb[0::3], rgb[1::3], rgb[2::3] = data[2::4], data[1::4], data[0::4]
    with open(path, "wb") as file:
        file.write(b"P6 %d %d 255\n" % (WIDTH, HEIGHT) + rgb)
    return {}


def input(action):
    return {"at": act(action)}


COMMANDS = {function.__name__: function for function in (focus, painted, still, find, drag, save, input)}

print(json.dumps({}), flush=True)
for line in sys.stdin:
    command, arguments = json.loads(line)
    print(json.dumps(COMMANDS[command](**arguments)), flush=True)
