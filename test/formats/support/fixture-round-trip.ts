import { join } from 'node:path';
import { expect } from 'vitest';
import type { InMemoryTaskData } from '../../../main/formats/kit/in-memory-task-data.ts';
import type { RegisteredImporter } from '../../../main/formats/kit/plugin.ts';
import { createFormatRegistry } from '../../../main/formats/registry.ts';
import { createFormatReport, type FormatSummary } from '../../../main/formats/kit/report.ts';
import type { LabeledShape, Tag, Track } from '../../../main/formats/kit/task-data.ts';
import type { FixtureSet } from './fixture-sets.ts';
import { importInto, exportToZip } from './format-fixtures.ts';
import { statedTask, type InspectedTask, inspectFolder } from './inspected-task.ts';

const registry = createFormatRegistry();

/** The importer of CVAT's files has two exporters. */
const writerOf = ({ importer, video }: FixtureSet): string | undefined =>
  importer === 'CVAT 1.1' ? (video ? 'CVAT for video 1.1' : 'CVAT for images 1.1') : undefined;

async function importInspected(importer: RegisteredImporter, path: string, survey: InspectedTask) {
  const report = createFormatReport();
  const task = survey.create(report);
  await importInto(importer, path, task, { report, conv_mask_to_poly: false });
  return { task, summary: report.summary() };
}

function census({ shapes, tags, tracks }: InMemoryTaskData): string[] {
  const counts = new Map<string, number>();
  const count = (kind: string, label: string) => {
    const key = `${kind} ${label}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { type, label } of shapes) count(type, label);
  for (const { label } of tags) count('tag', label);
  for (const { label, shapes: places } of tracks) count(`track of ${places[0]?.type ?? 'nothing'}`, label);
  return [...counts].map(([what, number]) => `${number} ${what}`).toSorted();
}

/**
 * Formats write two decimals, or six of a fraction of the image, so positions are compared to a fiftieth of a pixel.
 */
const place = (points: readonly number[]) => points.map((value) => Math.round(value * 50) / 50);
const named = (attributes: Tag['attributes']) => attributes.map(({ name, value }) => `${name}=${value}`).toSorted();

const shapeEssence = ({
  type,
  label,
  frame,
  points,
  rotation = 0,
  occluded,
  attributes,
  elements,
}: LabeledShape): object => ({
  type,
  label,
  frame,
  points: place(points),
  rotation: Math.round(rotation * 100) / 100,
  occluded,
  attributes: named(attributes),
  elements: elements?.map(shapeEssence),
});
const trackEssence = ({ label, shapes, attributes = [] }: Track): object => ({
  label,
  attributes: named(attributes),
  shapes: shapes.map(({ frame, points, outside, occluded, type }) => ({
    frame,
    points: place(points),
    outside,
    occluded,
    type,
  })),
});

const sorted = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).toSorted();
const essence = ({ shapes, tags, tracks }: InMemoryTaskData) => ({
  shapes: sorted(shapes.map(shapeEssence)),
  tags: sorted(tags.map(({ frame, label, attributes }) => ({ frame, label, attributes: named(attributes) }))),
  tracks: sorted(tracks.map(trackEssence)),
});

const lossesOf = ({ dropped }: FormatSummary) =>
  dropped.map(({ type, label, rule, count }) => `${count} ${type} ${label}: ${rule}`).toSorted();

function without(all: readonly string[], some: readonly string[]): string[] {
  const rest = [...all];
  for (const item of some) {
    const index = rest.indexOf(item);
    if (index < 0) return [`came back and was not there: ${item}`];
    rest.splice(index, 1);
  }
  return rest;
}

/**
 * Imports a dataset below `root` completely, exports it with the same format and imports the export. Both imports must
 * give the same objects, except for the dropped that the export reports.
 */
export async function expectRoundTrip(root: string, set: FixtureSet): Promise<void> {
  const importer = registry.findImporter(set.importer);
  if (!importer) throw new Error(`No format is called ${set.importer}.`);
  const path = join(root, set.folder);
  const survey = set.labels ? statedTask(set.labels) : await inspectFolder(importer, path, set);
  const first = await importInspected(importer, path, survey);
  expect(census(first.task)).toEqual(set.holds);
  expect(first.summary.invalidCount).toBe(set.bad ?? 0);

  const exporter = registry.findExporter(writerOf(set) ?? set.importer);
  if (!exporter) return;
  const written = await exportToZip(exporter, survey.create(createFormatReport(), first.task));
  expect(lossesOf(written.summary)).toEqual(set.loses ?? []);
  const second = await importInspected(importer, written.path, survey);
  expect(second.summary.invalid).toEqual([]);
  expect(lossesOf(second.summary)).toEqual(set.says ?? []);
  if (set.says) expect(lossesOf(first.summary)).toEqual(set.says);
  const [before, after] = [essence(first.task), essence(second.task)];
  const lost = written.summary.dropped.filter(({ rule }) => !/ no groups/.test(rule));
  if (lost.length === 0) expect(after).toEqual(before);
  else {
    const count = lost.reduce((sum, loss) => sum + loss.count, 0);
    const missing = (['shapes', 'tags', 'tracks'] as const).flatMap((kind) => without(before[kind], after[kind]));
    expect(missing).toHaveLength(count);
    expect(missing.filter((line) => line.startsWith('came back'))).toEqual([]);
  }
}
