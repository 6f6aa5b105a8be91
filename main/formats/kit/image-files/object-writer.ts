import { createLossNotes, repeatedTag, type KeptDetails } from '../lost-details.ts';
import { createPlainOutlines, type OutlineKind, type PlainOutline } from '../plain-outlines.ts';
import type { FormatReport } from '../report.ts';
import type { Frame, LabeledShape, Tag, TaskData } from '../task-data.ts';
import { visibleShapes } from './write-image-files.ts';

/** How a JSON format writes what lies on an image. */
export interface ObjectExport {
  /** The format's name, for sentences. */
  readonly format: string;
  readonly kinds: ReadonlySet<OutlineKind>;
  readonly kept: KeptDetails;
  /** One object. `id` is of the shape among those of its frame, and of the outline among those that it became. */
  readonly object: (
    shape: LabeledShape,
    outline: PlainOutline,
    place: { readonly frame: Frame; readonly id: string },
  ) => Record<string, unknown>;
  /** What becomes of an image's tags; without it they are lost. */
  readonly tag?: (tag: Tag) => Record<string, unknown>;
  /** Whether an image has each label once at most. */
  readonly hasLabelOnce?: boolean;
}

/** Writes objects and tags of frames, and reports what is carried and what is not. */
export function createObjectWriter(exported: ObjectExport, task_data: TaskData, report: FormatReport) {
  const { format, kinds, kept } = exported;
  const notes = createLossNotes(report, format, kept);
  const outlinesOf = createPlainOutlines(report, format, kinds);
  notes.tracks(task_data);
  return {
    objectsOf: (frame: Frame): Record<string, unknown>[] =>
      visibleShapes(frame.labeled_shapes).flatMap((shape, place) => {
        const outlines = outlinesOf(shape, frame);
        // A turned box that is a polygon by now has kept its place.
        if (outlines.length > 0) notes.shape(outlines[0]?.kind === 'polygon' ? { ...shape, rotation: 0 } : shape);
        return outlines.map((outline, part) => exported.object(shape, outline, { frame, id: `${place}-${part}` }));
      }),
    tagsOf: ({ tags }: Frame): Record<string, unknown>[] =>
      tags.flatMap((tag, place) => {
        const repeated = exported.hasLabelOnce ? repeatedTag(tag, tags.slice(0, place)) : undefined;
        if (!exported.tag || repeated !== undefined) {
          report.lost('tag', tag.label, repeated ?? `${format} has no labels for a whole image.`);
          return [];
        }
        notes.tag(tag);
        report.carried('tag', tag.label);
        return [exported.tag(tag)];
      }),
  };
}
