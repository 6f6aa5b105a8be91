import { oneLine } from '../kit/mask-files/label-colors.ts';
import { createPaintedExporter } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import { hasArea } from '../kit/mask-files/shape-mask.ts';
import { reportTracks } from '../kit/numbered-frames.ts';
import type { LabeledShape } from '../kit/task-data.ts';

const format = 'MOTS PNG';
export const maxInstances = 1000;
const largest = 65_535;
const labelsFile = 'labels.txt';

/** Numbers of tracks: over all labels while there are enough numbers, else over the tracks of each label. */
function createTrackNumbers(trackCount: number) {
  const perLabel = trackCount >= maxInstances;
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  return (shape: LabeledShape): number | undefined => {
    const key = `${shape.task_id ?? ''} ${shape.track_id}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const series = perLabel ? shape.label : '';
    const number = (counts.get(series) ?? 0) + 1;
    if (number >= maxInstances) return undefined;
    counts.set(series, number);
    numbers.set(key, number);
    return number;
  };
}

/**
 * MOTS PNG: for each image the numbers of its objects, (1 + label) · 1000 + track. Only tracks have such numbers; every
 * frame on which a track is seen becomes a keyframe.
 */
export const exportMots = createPaintedExporter({
  format,
  isOfTracks: true,
  files({ task_data, report }) {
    const labels = new Map(task_data.meta.labels.map(({ name }, index) => [name, index]));
    const trackCount = reportTracks(task_data, report, {
      format,
      isCarried: hasArea,
      lacks: `${format} has masks only, and its shapes have no area that could be painted.`,
    });
    const trackNumber = createTrackNumbers(trackCount);
    const valueOf = (shape: LabeledShape): number | undefined => {
      const label = labels.get(shape.label);
      const track = trackNumber(shape);
      const value = label === undefined || track === undefined ? Infinity : (1 + label) * maxInstances + track;
      return value <= largest ? value : undefined;
    };
    const problemOf = (shape: LabeledShape): string | undefined => {
      if (shape.track_id === undefined) return `${format} has tracks only.`;
      return valueOf(shape) === undefined
        ? `${format} has numbers for 64 labels, and for 999 tracks of each.`
        : undefined;
    };
    return {
      painting: {
        ignoresGroups: true,
        paints(shape) {
          const problem = problemOf(shape);
          if (problem !== undefined) report.lost(shape.type, shape.label, problem);
          return problem === undefined;
        },
      },
      imagePath: ({ subset, image }) => `${subset}/images/${image}`,
      async add({ subset, stem }, painted, { packed }) {
        if (!painted) return;
        const { width, height } = painted;
        const pixels = Uint16Array.from(mapInstances(painted, ({ leader }) => valueOf(leader) ?? 0));
        await packed(`${subset}/instances/${stem}.png`, encodePng({ kind: 'grey16', width, height, pixels }));
      },
      async finish({ zip }, subsets) {
        const list = task_data.meta.labels.map(({ name }) => oneLine(name, report)).join('\n');
        for (const subset of subsets) await zip.add(`${subset}/instances/${labelsFile}`, list);
      },
    };
  },
});
