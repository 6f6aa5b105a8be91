"""Finds objects that differ from their background, and names their colours.

Classical image processing in plain Python that uses only the standard library. `init_context` runs once per worker
(load a model there, into `context.user_data`); `handler` runs for each image.
"""

import base64
import colorsys
import json

from png import read_png

# Grid points along the longer side; a coarse grid is fast and ignores specks.
GRID_SIZE = 240
# Objects with a smaller fraction of the image are noise.
SMALLEST_SHARE = 0.0008
# Minimum colour difference from the background, even in uniform images.
LEAST_DIFFERENCE = 24
MOST_OBJECTS = 200


def init_context(context):
    context.logger.info("Init context...  0%")
    context.user_data.grid_size = GRID_SIZE
    context.logger.info("Init context...100%")


def handler(context, event):
    data = event.body
    threshold = float(data.get("threshold", 0.5))
    try:
        image = read_png(base64.b64decode(data["image"]))
    except ValueError as problem:
        return context.Response(body=str(problem), content_type="text/plain", status_code=400)
    objects = find_objects(image, context.user_data.grid_size)
    results = [found for found in objects if float(found["confidence"]) >= threshold]
    context.logger.info("%d objects in %d x %d pixels", len(results), image.width, image.height)
    return context.Response(body=json.dumps(results), headers={}, content_type="application/json", status_code=200)


def find_objects(image, grid_size):
    """Returns detector results: label, type, points and confidence."""
    step = max(1, -(-max(image.width, image.height) // grid_size))
    grid = sample(image, step)
    background = border_color(grid)
    differences = [[color_difference(color, background) for color in row] for row in grid]
    limit = max(LEAST_DIFFERENCE, dividing_value(differences))
    smallest = max(4, SMALLEST_SHARE * len(grid) * len(grid[0]))
    objects = []
    for cells in connected_cells(differences, limit):
        if len(cells) < smallest:
            continue
        columns = [x for _y, x in cells]
        rows = [y for y, _x in cells]
        color = [sum(grid[y][x][channel] for y, x in cells) / len(cells) for channel in range(3)]
        contrast = sum(differences[y][x] for y, x in cells) / len(cells)
        box = [
            min(columns) * step,
            min(rows) * step,
            min(image.width, (max(columns) + 1) * step),
            min(image.height, (max(rows) + 1) * step),
        ]
        objects.append((len(cells), item(box, color, contrast / (contrast + 0.5 * limit))))
    objects.sort(key=lambda found: -found[0])
    return [found for _size, found in objects[:MOST_OBJECTS]]


def item(box, color, confidence):
    return {"confidence": "{:.3f}".format(confidence), "label": color_name(color), "points": box, "type": "rectangle"}


def sample(image, step):
    """Returns the colour at the centre of each grid cell."""
    half = step // 2
    channels = image.channels
    grid = []
    for y in range(half, image.height, step):
        row = image.rows[y]
        places = range(half * channels, image.width * channels, step * channels)
        if channels < 3:
            grid.append([(row[at], row[at], row[at]) for at in places])
        else:
            grid.append([(row[at], row[at + 1], row[at + 2]) for at in places])
    return grid


def border_color(grid):
    """Returns the median colour of the border, which is mostly background."""
    edge = grid[0] + grid[-1] + [row[0] for row in grid] + [row[-1] for row in grid]
    return [sorted(color[channel] for color in edge)[len(edge) // 2] for channel in range(3)]


def color_difference(color, other):
    return max(abs(color[0] - other[0]), abs(color[1] - other[1]), abs(color[2] - other[2]))


def dividing_value(differences):
    """Otsu's method: the threshold that maximizes the variance between the two groups."""
    counts = [0] * 256
    for row in differences:
        for value in row:
            counts[value] += 1
    total = sum(counts)
    whole = sum(value * count for value, count in enumerate(counts))
    best_value, best_spread, below, below_sum = 0, -1.0, 0, 0
    for value, count in enumerate(counts):
        below += count
        below_sum += value * count
        above = total - below
        if below == 0 or above == 0:
            continue
        spread = below * above * (below_sum / below - (whole - below_sum) / above) ** 2
        if spread > best_spread:
            best_value, best_spread = value, spread
    return best_value


def connected_cells(differences, limit):
    """Connected components (4 neighbours) above the limit, each a list of (y, x)."""
    height, width = len(differences), len(differences[0])
    seen = [bytearray(width) for _row in range(height)]
    for top in range(height):
        for left in range(width):
            if seen[top][left] or differences[top][left] <= limit:
                continue
            seen[top][left] = 1
            cells = [(top, left)]
            for y, x in cells:
                for next_y, next_x in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                    if not (0 <= next_y < height and 0 <= next_x < width) or seen[next_y][next_x]:
                        continue
                    if differences[next_y][next_x] > limit:
                        seen[next_y][next_x] = 1
                        cells.append((next_y, next_x))
            yield cells


def color_name(color):
    hue, saturation, value = colorsys.rgb_to_hsv(*(channel / 255.0 for channel in color))
    if value < 0.2:
        return "dark"
    if saturation < 0.2:
        return "light" if value > 0.75 else "gray"
    degrees = hue * 360
    for end, name in ((15, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (195, "cyan"), (260, "blue"), (335, "purple")):
        if degrees < end:
            return name
    return "red"
