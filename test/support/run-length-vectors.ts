import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { maskFromBitmap, maskFromRunLengths, maskToRunLengths } from '../../preload/geometry/mask-runs.ts';
import { polygonsToRunLengths, rectangleToRunLengths } from '../../preload/geometry/polygon-raster.ts';
import {
  areaOfCounts,
  boundingBoxOfRuns,
  compressCounts,
  decodeToBitmap,
  decompressCounts,
  encodeBitmap,
  intersectionOverUnion,
  mergeRunLengths,
} from '../../preload/geometry/run-length.ts';

const bitmapOf = (rows: readonly string[]): Uint8Array => Uint8Array.from(rows.join(''), Number);

interface Oracle {
  masks: {
    name: string;
    size_hw: [number, number];
    rows: string[];
    coco_counts_uncompressed: number[];
    coco_counts_compressed: string;
    area: number;
    bbox_xywh: number[];
    cvat_points_rle_then_left_top_right_bottom?: number[];
  }[];
  polygons: {
    name: string;
    polygon_xy: number[];
    size_hw: [number, number];
    coco_counts_compressed: string;
    area: number;
    bbox_xywh: number[];
    rows: string[];
  }[];
  multi_part: {
    parts: number[][];
    size_hw: [number, number];
    union_counts: string;
    union_area: number;
    intersect_first_two_counts: string;
    intersect_area: number;
  };
  boxes: { bbox_xywh: [number, number, number, number]; size_hw: [number, number]; counts: string; area: number }[];
  iou: { dt: number[][]; gt: number[][]; iscrowd: number[]; iou: number[][] };
  string_codec: { counts: number[]; string: string }[];
  long_run: { counts: string };
}

export function runLengthVectors(path: string): void {
  // The file is the reference; the interface above describes its shape.
  const oracle = JSON.parse(readFileSync(path, 'utf8')) as Oracle;

  it('agree for masks', () => {
    expect(oracle.masks.length).toBeGreaterThan(10);
    for (const vector of oracle.masks) {
      const [height, width] = vector.size_hw;
      const runs = encodeBitmap(bitmapOf(vector.rows), width, height);
      expect(runs.counts, vector.name).toEqual(vector.coco_counts_uncompressed);
      expect(compressCounts(runs.counts), vector.name).toBe(vector.coco_counts_compressed);
      expect(decompressCounts(vector.coco_counts_compressed), vector.name).toEqual(runs.counts);
      expect(areaOfCounts(runs.counts), vector.name).toBe(vector.area);
      expect(boundingBoxOfRuns(runs), vector.name).toEqual(vector.bbox_xywh);
      const mask = vector.cvat_points_rle_then_left_top_right_bottom ?? null;
      expect(maskFromRunLengths(runs), vector.name).toEqual(mask);
      expect(maskFromBitmap(bitmapOf(vector.rows), width, height), vector.name).toEqual(mask);
      if (mask !== null) expect(maskToRunLengths(mask, width, height), vector.name).toEqual(runs);
    }
  });

  it('agree for polygons and their unions', () => {
    expect(oracle.polygons.length).toBeGreaterThan(10);
    for (const vector of oracle.polygons) {
      const [height, width] = vector.size_hw;
      const runs = polygonsToRunLengths([vector.polygon_xy], width, height);
      expect(compressCounts(runs.counts), vector.name).toBe(vector.coco_counts_compressed);
      expect(decodeToBitmap(runs), vector.name).toEqual(bitmapOf(vector.rows));
      expect(areaOfCounts(runs.counts), vector.name).toBe(vector.area);
      expect(boundingBoxOfRuns(runs), vector.name).toEqual(vector.bbox_xywh);
    }
    const several = oracle.multi_part;
    const [height, width] = several.size_hw;
    const union = polygonsToRunLengths(several.parts, width, height);
    expect(compressCounts(union.counts)).toBe(several.union_counts);
    expect(areaOfCounts(union.counts)).toBe(several.union_area);
    const firstTwo = several.parts.slice(0, 2).map((part) => polygonsToRunLengths([part], width, height));
    const shared = mergeRunLengths(firstTwo, 'intersection');
    expect(compressCounts(shared.counts)).toBe(several.intersect_first_two_counts);
    expect(areaOfCounts(shared.counts)).toBe(several.intersect_area);
  });

  it('agree for boxes, crowds, strings and long runs', () => {
    for (const {
      bbox_xywh: [x, y, w, h],
      size_hw: [height, width],
      counts,
      area,
    } of oracle.boxes) {
      const runs = rectangleToRunLengths([x, y, x + w, y + h], width, height);
      expect(compressCounts(runs.counts)).toBe(counts);
      expect(areaOfCounts(runs.counts)).toBe(area);
    }
    const toRuns = ([x = 0, y = 0, w = 0, h = 0]: number[]) => rectangleToRunLengths([x, y, x + w, y + h], 40, 40);
    oracle.iou.dt.forEach((detection, row) => {
      oracle.iou.gt.forEach((truth, column) => {
        const isCrowd = oracle.iou.iscrowd[column] === 1;
        const value = intersectionOverUnion(toRuns(detection), toRuns(truth), isCrowd);
        expect(value).toBeCloseTo(oracle.iou.iou[row]![column]!, 12);
      });
    });
    for (const { counts, string } of oracle.string_codec) {
      expect(compressCounts(counts)).toBe(string);
      expect(decompressCounts(string)).toEqual(counts);
    }
    const box = rectangleToRunLengths([50, 100, 640, 500], 700, 600);
    expect(compressCounts(box.counts)).toBe(oracle.long_run.counts);
  });
}
