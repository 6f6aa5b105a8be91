import { type ArchiveFiles, type ArchiveItem, writeItemArchive } from '../item-archive.ts';
import { createLossNotes, type KeptDetails } from '../lost-details.ts';
import { carries } from '../define-format.ts';
import type { Exporter } from '../plugin.ts';
import type { FormatReport } from '../report.ts';
import type { TaskData } from '../task-data.ts';
import { createFramePainter, type FramePainterOptions, type PaintedFrame } from './frame-painter.ts';
import { type LabelColor, taskLabelColors, warnOfSpaces } from './label-colors.ts';
import { noteBackground, noteJoined, numbersOf } from './painted-labels.ts';

/** What formats of masks carry: all that has an area becomes one. */
export const paintedSupport = carries({
  both: ['mask'],
  converted: ['rectangle', 'rotated rectangle', 'ellipse', 'polygon', 'track'],
});

/** What one export works with. */
export interface PaintedRun {
  readonly task_data: TaskData;
  readonly report: FormatReport;
  /** The labels of the file of colours, by their numbers; empty where the format has no such file. */
  readonly labels: readonly LabelColor[];
  /** Number of a label by the task's name for it; 0 for none. */
  numberOf(label: string): number;
}

export interface PaintedFiles {
  /** Which shapes are painted, and what groups are to them; by default all, those of a group as one object. */
  readonly painting?: Omit<FramePainterOptions, 'report' | 'format'>;
  begin?(files: ArchiveFiles): Promise<void>;
  /** Writes what an image has; nothing could be painted where `painted` is null. */
  add(item: ArchiveItem, painted: PaintedFrame | null, files: ArchiveFiles): Promise<void>;
  /** Where the image itself goes. */
  imagePath(item: ArchiveItem): string;
  finish?(files: ArchiveFiles, subsets: ReadonlySet<string>): Promise<void>;
}

/** A format that holds objects as images: pixels that are numbers, or colours, of what lies there. */
export interface PaintedFormat {
  /** The format's name, for sentences. */
  readonly format: string;
  /** All subsets share their folders. */
  readonly isFlat?: boolean;
  /** The file that gives labels their numbers and colours. */
  readonly colors?: {
    readonly file: string;
    /** Its fields stand between spaces. */
    readonly hasFields?: boolean;
    write(labels: readonly LabelColor[], report: FormatReport): string;
  };
  /** Attributes that stand beside the pixels. Groups, drawing order and rotation go into the pixels. */
  readonly attributes?: ReadonlySet<string>;
  /** Objects of one label on an image become one. */
  readonly joinsLabels?: boolean;
  /** Objects keep their tracks, but not their groups. */
  readonly isOfTracks?: boolean;
  files(run: PaintedRun): PaintedFiles;
}

/** The export of such a format: each image painted and reported, its files, the file of colours, the images themselves. */
export function createPaintedExporter(painted: PaintedFormat): Exporter {
  const { format, isFlat = false, colors, attributes, joinsLabels = false, isOfTracks = false } = painted;
  const kept: KeptDetails = {
    z_order: true,
    rotation: true,
    ...(isOfTracks ? {} : { group: true }),
    ...(attributes ? { attributes } : {}),
  };
  return async (file_object, task_data, options) => {
    const { report } = options;
    const labels = colors ? taskLabelColors(task_data.meta.labels, report) : [];
    const names = task_data.meta.labels.map(({ name }) => name);
    if (colors?.hasFields === true) warnOfSpaces(names, format, report);
    const numbers = numbersOf(names, labels);
    const notes = createLossNotes(report, format, kept);
    if (!isOfTracks) notes.tracks(task_data);
    const files = painted.files({ task_data, report, labels, numberOf: (label) => numbers.get(label) ?? 0 });
    const paint = createFramePainter({ report, format, ...files.painting });
    const note = (frame: PaintedFrame): void => {
      if (colors) noteBackground(frame, format, report);
      if (joinsLabels) noteJoined(frame, format, report);
      for (const { shapes } of frame.instances) shapes.forEach((shape) => notes.shape(shape));
    };
    await writeItemArchive(file_object, task_data, options, {
      format,
      isFlat,
      begin: async (archive) => files.begin?.(archive),
      async addItem(item, archive) {
        for (const { label } of item.frame.tags)
          report.lost('tag', label, `${format} has no labels for a whole image.`);
        const frame = paint(item.frame);
        if (frame) note(frame);
        await files.add(item, frame, archive);
        return [files.imagePath(item)];
      },
      async finish(archive, subsets) {
        await files.finish?.(archive, subsets);
        if (colors) archive.spill.open(colors.file).text(colors.write(labels, report));
      },
    });
  };
}
