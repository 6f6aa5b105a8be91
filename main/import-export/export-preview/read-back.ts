import type { WrittenObject } from '../../../preload/contract/schema/frame-preview.ts';
import { runnableImporter } from '../../formats/runnable-formats.ts';
import { withOverrides } from '../../formats/kit/with-overrides.ts';
import type { RegisteredImporter, SourceFile, SupportTable } from '../../formats/kit/plugin.ts';
import { createFormatReport } from '../../formats/kit/report.ts';
import type { Frame, LabeledShape, TaskData, Track } from '../../formats/kit/task-data.ts';
import { detectFormat } from '../../formats/registry.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { fits, kindOf } from '../export-options/shape-conversion.ts';

type Found = Omit<WrittenObject, 'color'>;

interface WrittenFile {
  readonly path: string;
  readonly format: string;
  readonly plugin: PluginReference | undefined;
}

/** Objects of a file with one frame, whatever its name in the file; null if Limner cannot read it. */
export async function readBack(
  { path, format, plugin }: WrittenFile,
  view: TaskData,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<Found[] | null> {
  const file = { path, name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) };
  const importer = await readerOf(file, format, plugin);
  const [info] = view.frames;
  if (!importer || !info) return null;
  const found: Found[] = [];
  const task = withOverrides(view, {
    meta: { ...view.meta, ...view.meta.tasks[0], kind: 'task', labels: view.meta.labels },
    match_frame: () => info.frame,
    frame_info: () => info,
    add_tag: ({ label }) => void found.push({ type: 'tag', points: [], rotation: 0, label, elements: [] }),
    add_shape: (shape) => void found.push(objectOf(shape)),
    add_track: (track) => void found.push(...objectsOfTrack(track)),
  });
  try {
    await importer.run(file, task, {
      conv_mask_to_poly: false,
      report: createFormatReport(),
      signal,
      progress: () => undefined,
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return null;
    throw error;
  }
  return found;
}

/** Some formats are read by an importer of another name, which is detected. */
async function readerOf(
  file: SourceFile,
  format: string,
  plugin: PluginReference | undefined,
): Promise<RegisteredImporter | undefined> {
  const own = runnableImporter(format, plugin);
  if (own) return own;
  const [likeliest] = await detectFormat(file).catch(() => []);
  return likeliest && runnableImporter(likeliest.name, undefined);
}

const objectOf = ({ type, points, rotation = 0, label, elements = [] }: LabeledShape): Found => ({
  type,
  points: [...points],
  rotation,
  label,
  elements: elements.map((element) => ({
    label: element.label,
    points: [...element.points],
    outside: element.outside ?? false,
  })),
});

/** A track's visible shapes: some formats add an outside shape after the frame. */
function objectsOfTrack({ label, shapes, elements = [] }: Track): Found[] {
  const shape = shapes.find(({ outside }) => !outside);
  if (!shape) return [];
  return [
    {
      type: shape.type,
      points: [...shape.points],
      rotation: shape.rotation ?? 0,
      label,
      elements: elements.flatMap((element) => {
        const [first] = element.shapes;
        return first ? [{ label: element.label, points: [...first.points], outside: first.outside }] : [];
      }),
    },
  ];
}

/** Objects passed to a format that cannot be read back, without unsupported kinds. */
export function writtenObjects(frame: Frame, support: SupportTable | undefined): Found[] {
  return [
    ...frame.labeled_shapes.filter((shape) => fits(support, kindOf(shape)) !== false).map(objectOf),
    ...frame.tags
      .filter(() => fits(support, 'tag') !== false)
      .map(({ label }): Found => ({ type: 'tag', points: [], rotation: 0, label, elements: [] })),
  ];
}
