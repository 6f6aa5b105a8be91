/**
 * Outlines the object under a few points. Region growing from the inner points competes with that from the outer points
 * and the image edge. Classical image processing that uses only Node's own modules.
 *
 * `initContext` runs once per worker (load a model there, into `context.userData`); `handler` runs for each call.
 */
'use strict';

const { readPng } = require('./png.js');

/** Maximum points along the longer side for the search; the smaller size also smooths textures. */
const searchSize = 320;
/** Weights of a step to a neighbour: constant cost, colour difference, and distance from the region's colours. */
const stepCost = 1;
const strangeWeight = 0.8;
/** Brightness has less weight than colour, because shadows and highlights belong to an object. */
const brightnessWeight = 0.35;
/** Radius, in steps, in which colours around a point count as the object's. */
const seedRadius = 3;
const mostColors = 40;
const inside = 1;
const outside = 2;

exports.initContext = (context) => {
  context.userData.calls = 0;
};

exports.handler = async (context, event) => {
  const request = JSON.parse(event.body.toString());
  let image;
  try {
    image = readPng(Buffer.from(request.image, 'base64'));
  } catch (problem) {
    return new context.Response(problem.message, {}, 'text/plain', 400);
  }
  const positive = pointsIn(image, request.pos_points);
  const negative = pointsIn(image, request.neg_points);
  if (positive.length === 0) {
    return new context.Response('Set at least one point inside the image.', {}, 'text/plain', 400);
  }
  const mask = growRegion(image, { positive, negative, box: request.obj_bbox });
  context.userData.calls += 1;
  context.logger.info(`Call ${context.userData.calls}: ${positive.length} points inside, ${negative.length} outside`);
  // A list of shapes, as in CVAT's own functions since 2.73.
  const shapes = mask === null ? [] : [{ type: 'mask', points: mask, attributes: [], occluded: false, rotation: 0 }];
  return { shapes };
};

const pointsIn = ({ width, height }, points) =>
  (points || [])
    .map(([x, y]) => [Math.floor(x), Math.floor(y)])
    .filter(([x, y]) => x >= 0 && y >= 0 && x < width && y < height);

/** Returns the region as a CVAT mask: run lengths (starting with zeros), then left, top, right, bottom. */
function growRegion(image, { positive, negative, box }) {
  const scale = Math.max(1, Math.ceil(Math.max(image.width, image.height) / searchSize));
  const small = shrink(image, scale);
  const place = ([x, y]) => Math.min(small.height - 1, Math.floor(y / scale)) * small.width + Math.floor(x / scale);
  const seeds = { positive: positive.map(place), negative: negative.map(place) };
  const owner = divide(small, seeds, boxOf(box, scale));
  return packedMask(image, (x, y) => owner[Math.floor(y / scale) * small.width + Math.floor(x / scale)] === inside);
}

function boxOf(box, scale) {
  if (!Array.isArray(box) || box.length < 2) return null;
  const [[x1, y1], [x2, y2]] = box;
  const cell = (value) => Math.floor(value / scale);
  return {
    left: cell(Math.min(x1, x2)),
    top: cell(Math.min(y1, y2)),
    right: cell(Math.max(x1, x2)),
    bottom: cell(Math.max(y1, y2)),
  };
}

/** Mean colours of squares of `scale` pixels: brightness and two colour differences, which shadows hardly change. */
function shrink({ width, height, channels, data }, scale) {
  const small = { width: Math.ceil(width / scale), height: Math.ceil(height / scale) };
  const colors = new Float32Array(small.width * small.height * 3);
  const green = channels < 3 ? 0 : 1;
  const blue = channels < 3 ? 0 : 2;
  for (let row = 0; row < small.height; row += 1) {
    for (let column = 0; column < small.width; column += 1) {
      const sum = [0, 0, 0];
      let count = 0;
      for (let y = row * scale; y < Math.min(height, (row + 1) * scale); y += 1) {
        for (let x = column * scale; x < Math.min(width, (column + 1) * scale); x += 1) {
          const at = (y * width + x) * channels;
          sum[0] += data[at];
          sum[1] += data[at + green];
          sum[2] += data[at + blue];
          count += 1;
        }
      }
      const [r, g, b] = sum.map((value) => value / count);
      colors.set(
        [brightnessWeight * (0.3 * r + 0.6 * g + 0.1 * b), r - g, (r + g) / 2 - b],
        (row * small.width + column) * 3,
      );
    }
  }
  return { ...small, colors };
}

/**
 * Assigns each point to the seed with the cheapest path (Dial's variant of Dijkstra's algorithm, with a bucket per
 * cost). Returns `inside` or `outside` for each.
 */
function divide(image, { positive, negative }, box) {
  const { width, height, colors } = image;
  const size = width * height;
  // Points on the image edge, or on and outside of the box, are not part of the object.
  const { left, top, right, bottom } = box || { left: 0, top: 0, right: width - 1, bottom: height - 1 };
  const isBeyond = (at) => {
    const x = at % width;
    const y = (at - x) / width;
    return x <= left || y <= top || x >= right || y >= bottom;
  };
  const beyond = Array.from({ length: size }, (_value, at) => at).filter(isBeyond);
  const strange = {
    [inside]: distances(colors, palette(colors, around(image, positive))),
    [outside]: distances(colors, palette(colors, [...beyond, ...around(image, negative)])),
  };
  const owner = new Uint8Array(size);
  const cost = new Uint32Array(size).fill(0xffffffff);
  const queue = [];
  const offer = (at, price, who) => {
    if (price >= cost[at]) return;
    cost[at] = price;
    owner[at] = who;
    (queue[price] = queue[price] || []).push(at);
  };
  for (const at of positive) offer(at, 0, inside);
  for (const at of negative) offer(at, 0, outside);
  for (const at of beyond) offer(at, 0, outside);
  for (let price = 0; price < queue.length; price += 1) {
    for (const at of queue[price] || []) {
      if (cost[at] !== price) continue;
      const x = at % width;
      const who = owner[at];
      const step = (to) =>
        offer(to, price + stepCost + Math.round(difference(colors, at, to) + strange[who][to] * strangeWeight), who);
      if (x > 0) step(at - 1);
      if (x < width - 1) step(at + 1);
      if (at >= width) step(at - width);
      if (at + width < size) step(at + width);
    }
    delete queue[price];
  }
  return owner;
}

/** Points near the given points. */
function around({ width, height }, places) {
  const found = [];
  for (const at of places) {
    const x = at % width;
    const y = (at - x) / width;
    for (let row = Math.max(0, y - seedRadius); row <= Math.min(height - 1, y + seedRadius); row += 1) {
      for (let column = Math.max(0, x - seedRadius); column <= Math.min(width - 1, x + seedRadius); column += 1) {
        found.push(row * width + column);
      }
    }
  }
  return found;
}

/** Most frequent colours at the given points, each as one of the points. */
function palette(colors, places) {
  const groups = new Map();
  for (const at of places) {
    const key = [0, 1, 2].map((channel) => Math.round(colors[at * 3 + channel] / 12)).join();
    const group = groups.get(key) || { at, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  const common = [...groups.values()].sort((one, other) => other.count - one.count).slice(0, mostColors);
  return common.map(({ at }) => at);
}

/** Distance of each point's colour to the nearest palette colour. */
function distances(colors, places) {
  const result = new Float32Array(colors.length / 3).fill(255);
  for (let at = 0; at < result.length; at += 1) {
    for (const place of places) result[at] = Math.min(result[at], difference(colors, at, place));
  }
  return result;
}

const difference = (colors, one, other) =>
  Math.max(
    Math.abs(colors[one * 3] - colors[other * 3]),
    Math.abs(colors[one * 3 + 1] - colors[other * 3 + 1]),
    Math.abs(colors[one * 3 + 2] - colors[other * 3 + 2]),
  );

function packedMask({ width, height }, isInside) {
  let left = width;
  let top = height;
  let right = -1;
  let bottom = -1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isInside(x, y)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (right < 0) return null;
  const runs = [];
  let isOn = false;
  let length = 0;
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      if (isInside(x, y) === isOn) length += 1;
      else {
        runs.push(length);
        isOn = !isOn;
        length = 1;
      }
    }
  }
  return [...runs, length, left, top, right, bottom];
}
