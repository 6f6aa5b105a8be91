import type { DatasetExportOptions, ExportPreview } from '../../../preload/contract/schema/export-options.ts';
import type { KnownFormat } from '../../formats/format-catalog.ts';
import { createFormatReport } from '../../formats/kit/report.ts';
import type { Frame } from '../../formats/kit/task-data.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { withWorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';
import { withOriginalImages } from '../annotation-reader/original-images.ts';
import { createStoredView, type DatasetTarget } from '../annotation-reader/stored-view.ts';
import { applyExportOptions } from './apply-export-options.ts';
import { fits, kindOf } from './shape-conversion.ts';

export interface PreviewExportJob extends WorkerPaths {
  readonly target: DatasetTarget;
  readonly format: Pick<KnownFormat, 'display_name' | 'lacksSubsets' | 'support'>;
  readonly exportOptions: DatasetExportOptions;
  readonly onlyAnnotated: boolean;
}

/** Counts the objects of an export by the same code. Reads all objects, so it runs in a worker thread. */
export function previewExport(job: PreviewExportJob, run: JobRun): Promise<ExportPreview> {
  return withWorkerContext(job, run, (context) =>
    withOriginalImages(job.dataDirectory, async (images) => {
      const report = createFormatReport();
      const plain = createStoredView(context, job.target, { images, report });
      const { view, arrangedFrame } = applyExportOptions(plain, {
        ...job,
        report,
        copyPicture: async (image) => image,
        checkCancelled: run.checkCancelled,
        isCount: true,
      });
      const tally = createPreviewTally(job);
      for (const frame of plain.group_by_frame(true)) {
        run.checkCancelled();
        tally.count(frame, arrangedFrame(frame));
      }
      return {
        ...tally.result(),
        frames: { total: plain.frame_count, written: view.frame_count },
        labels: plain.meta.labels.map(({ name, color }) => ({ name, color, objects: tally.ofLabel(name) })),
      };
    }),
  );
}

function createPreviewTally({ format, exportOptions }: Pick<PreviewExportJob, 'format' | 'exportOptions'>) {
  const { support, lacksSubsets, display_name: name } = format;
  const labels = new Map<string, number>();
  const kinds = new Map<string, number>();
  const subsets = new Map<string, { frames: number; objects: number }>();
  const chosen = exportOptions.labels && new Set(exportOptions.labels.map((label) => label.name));
  const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + 1);
  let total = 0;
  let written = 0;
  let unfit = 0;

  function countObject(kind: string, label: string): void {
    add(labels, label);
    if (!chosen || chosen.has(label)) add(kinds, kind);
  }

  return {
    count(frame: Frame, arranged: Frame | null): void {
      total += frame.labeled_shapes.length + frame.tags.length;
      if (!arranged) return;
      for (const shape of frame.labeled_shapes) countObject(kindOf(shape), shape.label);
      for (const tag of frame.tags) countObject('tag', tag.label);
      const counted = subsets.get(arranged.subset) ?? { frames: 0, objects: 0 };
      subsets.set(arranged.subset, counted);
      counted.frames += 1;
      const found = [...arranged.labeled_shapes.map(kindOf), ...arranged.tags.map(() => 'tag')];
      const included = found.filter((kind) => fits(support, kind) !== false).length;
      counted.objects += included;
      written += included;
      unfit += found.length - included;
    },
    ofLabel: (label: string): number => labels.get(label) ?? 0,
    result: (): Pick<ExportPreview, 'objects' | 'subsets' | 'kinds' | 'notes'> => ({
      objects: { total, written, unfit },
      subsets: [...subsets].map(([subset, counts]) => ({ name: subset, ...counts })),
      kinds: [...kinds].map(([kind, objects]) => ({ kind, objects, fits: fits(support, kind) })),
      notes:
        lacksSubsets && subsets.size > 1
          ? [`${name} has no subsets: the frames of all ${subsets.size} of them share a folder.`]
          : [],
    }),
  };
}
