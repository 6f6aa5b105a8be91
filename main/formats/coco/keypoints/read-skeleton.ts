import type { CocoAnnotation } from '../fast/coco-annotation.ts';
import type { AnnotationImporterOptions, ReadSkeleton } from '../import-annotations.ts';
import { brief, RecordError, isFiniteNumber, isRecord } from '../../kit/records.ts';
import type { CocoLabel } from '../coco-tables.ts';
import { readCrowd } from '../crowd.ts';
import { readScore } from '../../kit/read-score.ts';
import { readAttributes } from '../../kit/read-attributes.ts';
import type { FormatReport } from '../../kit/report.ts';
import type { LabeledShape, LabelInfo, TaskData } from '../../kit/task-data.ts';

type Reader = NonNullable<AnnotationImporterOptions['readSkeleton']>;

/** Points of a row, three numbers each, if present. */
function readPoints({ keypoints }: CocoAnnotation): readonly number[] | undefined {
  if (keypoints === undefined || keypoints === null) return undefined;
  if (!Array.isArray(keypoints)) throw new RecordError('keypoints', `must be a list, but is ${brief(keypoints)}`);
  if (keypoints.length % 3 !== 0)
    throw new RecordError('keypoints', `must have three numbers for each point, but has ${keypoints.length} numbers`);
  for (const [index, value] of keypoints.entries()) {
    if (!isFiniteNumber(value))
      throw new RecordError(`keypoints[${index}]`, `must be a number, but is ${brief(value)}`);
    if (index % 3 === 2 && value !== 0 && value !== 1 && value !== 2)
      throw new RecordError(`keypoints[${index}]`, `is the state ${value} of a point: it must be 0, 1 or 2`);
  }
  return keypoints;
}

/** Sublabel for each point of a row; undefined if the task's skeleton has no such point. */
function sublabelNames(
  stated: readonly string[] | undefined,
  label: LabelInfo | undefined,
  count: number,
): readonly (string | undefined)[] {
  const own = label?.sublabels.map(({ name }) => name);
  const byPlace = (names: readonly string[]): (string | undefined)[] =>
    Array.from({ length: count }, (_, place) => names[place]);
  if (!own || own.length === 0) return byPlace(stated ?? []);
  if (!stated || (stated.length === own.length && !stated.some((name) => own.includes(name)))) return byPlace(own);
  return byPlace(stated).map((name) => (name !== undefined && own.includes(name) ? name : undefined));
}

function isSkeleton(label: LabelInfo | undefined, { keypoints }: CocoLabel): boolean {
  return label ? label.type === 'skeleton' || label.sublabels.length > 0 : keypoints !== undefined;
}

function hasOutline({ segmentation }: CocoAnnotation): boolean {
  return Array.isArray(segmentation) ? segmentation.length > 0 : isRecord(segmentation);
}

export interface SkeletonReaderOptions {
  readonly task_data: TaskData;
  readonly report: FormatReport;
}

/** Reads rows with key points as skeletons; see {@link AnnotationImporterOptions.readSkeleton}. */
export function createSkeletonReader({ task_data, report }: SkeletonReaderOptions): Reader {
  const elementsOf = (
    points: readonly number[],
    names: readonly (string | undefined)[],
    shape: Pick<LabeledShape, 'frame' | 'label' | 'source'>,
  ): LabeledShape[] =>
    names.flatMap((name, place): LabeledShape[] => {
      const [x = 0, y = 0, state = 0] = points.slice(3 * place, 3 * place + 3);
      if (name === undefined) {
        if (state !== 0)
          report.dropped('points', shape.label, `The skeleton of the task has no point number ${place + 1}.`);
        return [];
      }
      return [
        {
          type: 'points',
          frame: shape.frame,
          label: name,
          points: [x, y],
          occluded: state === 1,
          outside: state === 0,
          attributes: [],
          group: 0,
          z_order: 0,
          source: shape.source,
        },
      ];
    });

  const skeletonOf = (
    annotation: CocoAnnotation,
    points: readonly number[],
    frame: number,
    label: CocoLabel,
  ): ReadSkeleton => {
    const info = task_data.label(label.name);
    const fields = readAttributes(annotation.attributes);
    const attributes = readCrowd(fields, annotation, (problem) => report.dropped('attribute', label.name, problem));
    const names = sublabelNames(label.keypoints, info, points.length / 3);
    const expected = label.keypoints?.length ?? info?.sublabels.length ?? 0;
    if (points.length / 3 < expected)
      report.dropped(
        'points',
        label.name,
        'A row has fewer points than its skeleton: the last ones are missing.',
        expected - points.length / 3,
      );
    const source = fields.source === undefined ? {} : { source: fields.source };
    const { score } = annotation;
    const shape: LabeledShape = {
      type: 'skeleton',
      frame,
      label: label.name,
      points: [],
      occluded: fields.occluded,
      attributes,
      group: 0,
      z_order: fields.zOrder,
      outside: fields.outside || undefined,
      ...source,
      ...readScore(score, (rule) => report.dropped('attribute', label.name, rule)),
      keyframe: fields.keyframe,
      elements: elementsOf(points, names, { frame, label: label.name, ...source }),
    };
    return { shape, trackId: fields.keyframe === undefined ? undefined : fields.trackId };
  };

  return (annotation, frame, label) => {
    const points = readPoints(annotation);
    const isSeen = points?.some((value, index) => index % 3 === 2 && value !== 0) ?? false;
    const ofSkeleton = isSkeleton(task_data.label(label.name), label);
    if (points && isSeen && ofSkeleton) {
      if (hasOutline(annotation)) {
        report.dropped('outline', label.name, 'A skeleton has no outline besides its points.');
      }
      return skeletonOf(annotation, points, frame, label);
    }
    if (ofSkeleton) {
      report.dropped(
        'skeleton',
        label.name,
        'None of its points is labeled, and a skeleton cannot be a box or an outline.',
      );
      return null;
    }
    if (isSeen) {
      report.dropped(
        'skeleton',
        label.name,
        'The label of the task is not a skeleton: the box or the outline was read instead.',
      );
    }
    return undefined;
  };
}
