import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FramePreview, WrittenObject } from '../../../preload/contract/schema/frame-preview.ts';
import { maxPreviewedFrames } from '../../../preload/contract/schema/frame-preview.ts';
import type { KnownFormat } from '../../formats/format-catalog.ts';
import { runnableExporter } from '../../formats/runnable-formats.ts';
import { imageName } from '../../formats/kit/frame-images.ts';
import { createFormatReport } from '../../formats/kit/report.ts';
import type { Frame, TaskData } from '../../formats/kit/task-data.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { applyExportOptions } from '../export-options/apply-export-options.ts';
import { createImageCopier } from '../export-options/copy-image.ts';
import { ownFrame } from '../export-options/single-frame.ts';
import type { PreviewExportJob } from '../export-options/preview-export-job.ts';
import { withWorkerContext } from '../bulk-writer/worker-context.ts';
import { withOriginalImages } from '../annotation-reader/original-images.ts';
import { createStoredView } from '../annotation-reader/stored-view.ts';
import { leftOutRows, lossRows } from './dropped-objects.ts';
import { readBack, writtenObjects } from './read-back.ts';
import { defined } from '../../platform/defined.ts';

export interface ExportPictureJob extends PreviewExportJob {
  readonly format: PreviewExportJob['format'] & Pick<KnownFormat, 'ext'>;
  /** Set if the format is a user's plug-in. */
  readonly plugin?: PluginReference;
  readonly readerPlugin?: PluginReference;
  readonly options: Readonly<Record<string, unknown>>;
  readonly place: number;
}

/** Frames with more objects are drawn partially. */
const maxObjects = 2000;
const maxNumbers = 400_000;

type Arranged = ReturnType<typeof applyExportOptions>;

/** Exports one frame with the real exporter into a temporary file and describes its content. */
export function pictureExport(job: ExportPictureJob, run: JobRun): Promise<FramePreview> {
  return withWorkerContext(job, run, (context) =>
    withOriginalImages(job.dataDirectory, async (images) => {
      const report = createFormatReport();
      const plain = createStoredView(context, job.target, { images, report });
      const arranged = applyExportOptions(plain, {
        ...job,
        report,
        copyPicture: createImageCopier(job.exportOptions.images),
        checkCancelled: run.checkCancelled,
      });
      const found = findFrame(plain, arranged, { place: job.place, checkCancelled: run.checkCancelled });
      const own = found && arranged.ofFrame(found.frame);
      if (!own) return noPicture(job.place);
      return { place: job.place, has_next: found.hasNext, ...(await pictureOf(job, run, found.frame, own)) };
    }),
  );
}

const noPicture = (place: number): FramePreview => ({
  place,
  has_next: false,
  frame: null,
  objects: [],
  more_objects: 0,
  is_read_back: true,
  left_out: [],
  losses: [],
});

interface Wanted {
  readonly place: number;
  readonly checkCancelled: () => void;
}

/**
 * The frame at a position among those with exported objects. If there is none, the first frame with objects, to show
 * the reasons.
 */
function findFrame(plain: TaskData, arranged: Arranged, { place, checkCancelled }: Wanted) {
  let bare: Frame | undefined;
  let wanted: Frame | undefined;
  let seen = -1;
  for (const frame of plain.group_by_frame(false)) {
    checkCancelled();
    if (!arranged.isPlanned(frame)) continue;
    if (!arranged.hasObjects(frame)) {
      bare ??= ownFrame(frame);
      continue;
    }
    seen += 1;
    if (seen === place) wanted = ownFrame(frame);
    if (wanted && seen > place) break;
  }
  if (wanted) return { frame: wanted, hasNext: seen > place && place + 1 < maxPreviewedFrames };
  return seen < 0 && bare ? { frame: bare, hasNext: false } : null;
}

async function pictureOf(
  job: ExportPictureJob,
  run: JobRun,
  frame: Frame,
  { view, info, leftOut }: NonNullable<ReturnType<Arranged['ofFrame']>>,
): Promise<Omit<FramePreview, 'place' | 'has_next'>> {
  const given = [...view.group_by_frame(true)];
  const report = createFormatReport();
  const folder = await mkdtemp(join(tmpdir(), 'limner-picture-'));
  try {
    const path = join(folder, `export.${job.format.ext.toLowerCase()}`);
    await write(job, run, { path, view, report });
    const read = await readBack({ path, format: job.format.display_name, plugin: job.readerPlugin }, view, run);
    const colors = new Map(view.meta.labels.map(({ name, color }) => [name, color]));
    const written = read ?? given.flatMap((one) => writtenObjects(one, job.format.support));
    const shown = written.slice(0, shownCount(written));
    return {
      frame: {
        task_id: frame.task_id,
        frame: frame.frame,
        name: frame.name,
        written_name: imageName(view, info),
        subset: job.format.lacksSubsets ? null : info.subset,
        width: info.width,
        height: info.height,
        objects: frame.labeled_shapes.length + frame.tags.length,
      },
      objects: shown.map((object) => ({ ...object, color: colors.get(object.label) ?? '#808080' })),
      more_objects: written.length - shown.length,
      is_read_back: read !== null,
      left_out: leftOutRows(leftOut()),
      losses: lossRows(report.summary(), given, job.format.support),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(
  job: ExportPictureJob,
  { signal }: JobRun,
  {
    path,
    view,
    report,
  }: { readonly path: string; readonly view: TaskData; readonly report: ReturnType<typeof createFormatReport> },
): Promise<void> {
  const { display_name: name } = job.format;
  const exporter = runnableExporter(name, job.plugin);
  if (!exporter) throw new AppError('invalid', `No exporter for "${name}".`);
  const firstClass = job.exportOptions.first_class_id;
  await exporter.run({ path }, view, {
    ...job.options,
    ...defined({ first_class_id: firstClass }),
    save_images: false,
    report,
    signal,
    progress: () => undefined,
  });
}

function shownCount(objects: readonly Omit<WrittenObject, 'color'>[]): number {
  let numbers = 0;
  const end = objects.findIndex(({ points, elements }, index) => {
    numbers += points.length + elements.reduce((sum, element) => sum + element.points.length, 0);
    return index >= maxObjects || numbers > maxNumbers;
  });
  return end < 0 ? objects.length : end;
}
