import type { OtherKind } from '../../../preload/contract/schema/evaluations.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { packColumns } from '../measures/columns.ts';
import { mappedName, type Cell, type CellMeasures, type CellSource } from './cells.ts';
import { cellsOfPixels } from './pixel-cells.ts';
import { cellsOfTags } from './tag-cells.ts';
import { cellsOfTracks } from './track-cells.ts';
import type { EvaluateJob, Evaluated } from './evaluation-work.ts';
import type { MeasuredViews } from './measured-views.ts';

const ways: Readonly<Record<OtherKind, (source: CellSource) => CellMeasures>> = {
  tags: cellsOfTags,
  semantic: cellsOfPixels,
  tracks: cellsOfTracks,
};

/** Computes metrics that are counted by frame and label instead of by matched objects with scores. */
export function measureCells(
  kind: OtherKind,
  job: EvaluateJob,
  run: JobRun,
  { truth, labels, places, models, frames }: MeasuredViews,
): Evaluated {
  const placeOf = new Map(labels.map(({ name }, place) => [name, place]));
  const measured = models.map((results, at) => {
    run.progress(at / models.length, 'Measuring');
    return ways[kind]({
      truth,
      results,
      places,
      labels,
      labelOf(side, label) {
        const name = side === 'results' ? mappedName(job.mapping, label) : label;
        return placeOf.get(name ?? '');
      },
      checkCancelled: run.checkCancelled,
    });
  });
  const [first] = measured;
  const truths = first?.truths ?? { ofLabels: [], leftOut: 0 };
  return {
    subject: {
      frame_count: places.size,
      truth_count: truths.ofLabels.reduce((sum, count) => sum + count, 0),
      left_out: truths.leftOut,
      labels: labels.map(({ name, color }, place) => ({ name, color, truths: truths.ofLabels[place] ?? 0 })),
    },
    truths: packColumns({ ...frames }),
    models: measured.map(({ cells, measures, labels: ofLabels, results }) => ({
      measures,
      details: { result_count: results.count, left_out: results.leftOut, labels: [...ofLabels], precision: [] },
      facts: packCells(cells),
    })),
  };
}

const packCells = (cells: readonly Cell[]): Uint8Array =>
  packColumns({
    image: Uint32Array.from(cells, ({ image }) => image),
    truth: Uint16Array.from(cells, ({ truth }) => truth),
    result: Uint16Array.from(cells, ({ result }) => result),
    count: Uint32Array.from(cells, ({ count }) => count),
    switches: Uint32Array.from(cells, ({ switches }) => switches),
  });
