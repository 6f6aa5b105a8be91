import { describe, expect, it } from 'vitest';
import type { ObjectKind, ObjectSupport, RegisteredExporter } from '../../main/formats/kit/plugin.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { createFormatRegistry } from '../../main/formats/registry.ts';
import { exportToZip, runImport } from './support/format-fixtures.ts';
import {
  attributeFor,
  isRotated,
  readerOf,
  shapes,
  target,
  taskWith,
  tracksOfMasks,
  typeOf,
} from './support/one-of-each.ts';

/** Number of imported objects of the kind and in total, and the number of reported drops. */
async function outcomeOf(kind: ObjectKind, exporter: RegisteredExporter) {
  const importer = readerOf(exporter);
  const { path, summary } = await exportToZip(exporter, taskWith(kind, exporter));
  const options = { conv_mask_to_poly: tracksOfMasks.has(exporter.display_name) };
  const { task, summary: reading } = await runImport(importer, path, target, { options });
  const attribute = attributeFor(exporter);
  expect(reading.invalidCount, `${exporter.display_name}: ${kind}`).toBe(0);
  const type = typeOf(kind);
  const own =
    kind === 'tag'
      ? task.tags.length
      : kind === 'track'
        ? task.tracks.length
        : kind === 'attribute'
          ? [...task.shapes, ...task.tags, ...task.tracks.flatMap((track) => track.shapes)].filter(({ attributes }) =>
              attributes.some(({ name, value }) => name === attribute.name && value === attribute.value),
            ).length
          : [
              ...task.shapes,
              ...task.tracks.flatMap(({ shapes: [first] }) => (first ? [first as LabeledShape] : [])),
            ].filter((shape) => shape.type === type && isRotated(shape) === (kind === 'rotated rectangle')).length;
  return {
    own,
    any: task.shapes.length + task.tags.length + task.tracks.length,
    isReported:
      summary.dropped.some((loss) => loss.type === type) ||
      (kind === 'attribute' && summary.dropped.some(({ rule }) => rule.includes('attribute'))) ||
      // A format without tracks may also report the shapes of a track.
      (kind === 'track' && summary.dropped.length > 0),
    isIncluded: summary.included.some((included) => included.type === type),
  };
}

const kinds: readonly ObjectKind[] = [...(Object.keys(shapes) as ObjectKind[]), 'tag', 'track', 'attribute'];
const { importers, exporters } = createFormatRegistry();
const declared = exporters.filter(({ support }) => support);

describe('the declared support of formats', () => {
  it('is declared by every built-in format of images', () => {
    const silent = [...importers, ...exporters].filter(({ support, dimension }) => !support && dimension === '2d');
    expect(silent.map(({ display_name }) => display_name)).toEqual([]);
  });

  it.each(declared.map((exporter) => [exporter.display_name, exporter] as const))(
    '%s supports the declared kinds',
    async (_name, exporter) => {
      for (const kind of kinds) {
        const support: ObjectSupport | undefined = exporter.support?.[kind];
        const at = `${exporter.display_name}: ${kind} is ${support ?? 'left out'}`;
        const outcome = await outcomeOf(kind, exporter);
        switch (support) {
          case 'both':
          case 'export':
            expect(outcome.own, at).toBeGreaterThan(0);
            // Some formats count tracks, others the shapes of a track.
            if (kind !== 'attribute' && kind !== 'track') expect(outcome.isIncluded, at).toBe(true);
            break;
          case 'converted':
            expect(outcome, at).toMatchObject({ own: 0, isReported: true });
            expect(outcome.any, at).toBeGreaterThan(0);
            break;
          default:
            // Unsupported, read-only, or limited to the fields of the format: every loss is reported.
            expect(outcome, at).toMatchObject({ own: 0, isReported: true });
        }
      }
    },
  );

  it('uses equal names for importers and exporters of one format', () => {
    for (const exporter of declared) {
      const importer = importers.find(({ display_name }) => display_name === exporter.display_name);
      if (importer) expect(importer.support, exporter.display_name).toEqual(exporter.support);
    }
  });
});
