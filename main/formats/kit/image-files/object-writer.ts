import { createLossNotes, repeatedTag, type KeptDetails } from '../dropped-details.ts';
import { createPlainOutlines, type OutlineKind, type PlainOutline } from '../plain-outlines.ts';
import type { FormatReport } from '../report.ts';
import type { Frame, LabeledShape, Tag, TaskData } from '../task-data.ts';
import { visibleShapes } from './write-image-files.ts';

/** Conversion of the objects of an image to a JSON format. */
export interface ObjectExport {
  readonly format: string;
  readonly kinds: ReadonlySet<OutlineKind>;
  readonly kept: KeptDetails;
  /**
   * Writes one object. `id` has the number of the shape in its frame, and that of the outline among those it was split
   * into.
   */
  readonly object: (
    shape: LabeledShape,
    outline: PlainOutline,
    place: { readonly frame: Frame; readonly id: string },
  ) => Record<string, unknown>;
  /** Writes a tag of an image; without it, tags are dropped. */
  readonly tag?: (tag: Tag) => Record<string, unknown>;
  /** True if an image can have each label only once. */
  readonly hasLabelOnce?: boolean;
}

/** Writes the objects and tags of frames, and reports exported and dropped ones. */
export function createObjectWriter(exported: ObjectExport, task_data: TaskData, report: FormatReport) {
  const { format, kinds, kept } = exported;
  const notes = createLossNotes(report, format, kept);
  const outlinesOf = createPlainOutlines(report, format, kinds);
  notes.tracks(task_data);
  return {
    objectsOf: (frame: Frame): Record<string, unknown>[] =>
      visibleShapes(frame.labeled_shapes).flatMap((shape, place) => {
        const outlines = outlinesOf(shape, frame);
        // A rotated box that became a polygon keeps its position, so no rotation is reported as lost.
        if (outlines.length > 0) notes.shape(outlines[0]?.kind === 'polygon' ? { ...shape, rotation: 0 } : shape);
        return outlines.map((outline, part) => exported.object(shape, outline, { frame, id: `${place}-${part}` }));
      }),
    tagsOf: ({ tags }: Frame): Record<string, unknown>[] =>
      tags.flatMap((tag, place) => {
        const repeated = exported.hasLabelOnce ? repeatedTag(tag, tags.slice(0, place)) : undefined;
        if (!exported.tag || repeated !== undefined) {
          report.dropped('tag', tag.label, repeated ?? `${format} has no image-level labels.`);
          return [];
        }
        notes.tag(tag);
        report.included('tag', tag.label);
        return [exported.tag(tag)];
      }),
  };
}
