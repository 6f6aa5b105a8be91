import { type ArchiveFiles, type ArchiveItem, writeItemArchive } from '../item-archive.ts';
import { createLossNotes, type KeptDetails } from '../dropped-details.ts';
import { carries } from '../define-format.ts';
import type { Exporter } from '../plugin.ts';
import type { FormatReport } from '../report.ts';
import type { TaskData } from '../task-data.ts';
import { createFramePainter, type FramePainterOptions, type PaintedFrame } from './frame-painter.ts';
import { type LabelColor, taskLabelColors, warnOfSpaces } from './label-colors.ts';
import { noteBackground, noteJoined, numbersOf } from './painted-labels.ts';

/** Support of mask formats: everything with an area becomes a mask. */
export const paintedSupport = carries({
  both: ['mask'],
  converted: ['rectangle', 'rotated rectangle', 'ellipse', 'polygon', 'track'],
});

export interface PaintedRun {
  readonly task_data: TaskData;
  readonly report: FormatReport;
  /** Labels of the color file by number; empty if the format has none. */
  readonly labels: readonly LabelColor[];
  numberOf(label: string): number;
}

export interface PaintedFiles {
  /** Selects the painted shapes and the use of groups. Default: all shapes, with a group as one object. */
  readonly painting?: FramePainterOptions;
  begin?(files: ArchiveFiles): Promise<void>;
  /** Writes the files of an image; `painted` is null if nothing could be painted. */
  add(item: ArchiveItem, painted: PaintedFrame | null, files: ArchiveFiles): Promise<void>;
  imagePath(item: ArchiveItem): string;
  finish?(files: ArchiveFiles, subsets: ReadonlySet<string>): Promise<void>;
}

/** A format that stores objects as images, whose pixels are numbers or colors. */
export interface PaintedFormat {
  readonly format: string;
  /** True if all subsets share their folders. */
  readonly isFlat?: boolean;
  readonly colors?: {
    readonly file: string;
    /** True if its fields are separated by spaces. */
    readonly hasFields?: boolean;
    write(labels: readonly LabelColor[], report: FormatReport): string;
  };
  /** Attributes that are stored besides the pixels. The pixels store groups, drawing order and rotation. */
  readonly attributes?: ReadonlySet<string>;
  /** True if objects of one label in an image are joined. */
  readonly joinsLabels?: boolean;
  /** True if objects keep their tracks, but not their groups. */
  readonly isOfTracks?: boolean;
  files(run: PaintedRun): PaintedFiles;
}

/**
 * Creates an exporter for a mask format: paints and reports each image, and writes its files, the color file and the
 * images.
 */
export function createPaintedExporter(painted: PaintedFormat): Exporter {
  const { format, isFlat = false, colors, attributes, joinsLabels = false, isOfTracks = false } = painted;
  const kept: KeptDetails = {
    z_order: true,
    rotation: true,
    group: isOfTracks ? undefined : true,
    attributes,
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
    const paint = createFramePainter(report, format, files.painting);
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
        for (const { label } of item.frame.tags) report.dropped('tag', label, `${format} has no image-level labels.`);
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
