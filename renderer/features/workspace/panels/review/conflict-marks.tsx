import { useQueries, useQuery } from '@tanstack/react-query';
import { boundingBox } from '../../../../../preload/geometry/geometry.ts';
import { shapeAtFrame } from '../../../../../preload/geometry/interpolation.ts';
import type { LabeledData } from '../../../../../preload/contract/schema/annotations.ts';
import type { AnnotationId, QualityConflict } from '../../../../../preload/contract/schema/quality.ts';
import { qualityQueries } from '../../../../api/quality-queries.ts';
import type { Box } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './review.module.css';
import { boxText } from './use-places.ts';
import { useReview } from './use-review.ts';

/** Box of a conflict's object. Covers ground-truth objects too, which the job does not show. */
function boxOf({ obj_id: id, type }: AnnotationId, data: Pick<LabeledData, 'shapes' | 'tracks'>, frame: number) {
  const track = type === 'track' ? data.tracks.find((one) => one.id === id) : undefined;
  const seen = track ? shapeAtFrame(track, frame) : data.shapes.find((one) => one.id === id);
  if (type === 'tag' || !seen) return null;
  const { type: kind, points, rotation, elements } = seen;
  return boundingBox({
    type: kind,
    points,
    rotation,
    elements: elements.map(({ type: own, points: at, outside }) => ({ type: own, points: at, outside })),
  });
}

interface ConflictMark {
  readonly conflict: QualityConflict;
  readonly box: Box;
  readonly isTruth: boolean;
}

/** Boxes of the frame's conflicts, while shown. */
export function useConflictMarks(isShown: boolean): readonly ConflictMark[] {
  const { job } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const found = useQuery({ ...qualityQueries.ofJob(job.id), enabled: isShown, retry: false }).data;
  const here = (isShown ? (found?.conflicts ?? []) : []).filter((conflict) => conflict.frame === frame);
  const jobs = [...new Set(here.flatMap(({ annotation_ids: ids }) => ids.map((one) => one.job_id)))];
  // Without permission to read the ground truth there are no marks; the list still shows the conflicts.
  const data = useQueries({ queries: jobs.map((id) => qualityQueries.objects(id, frame)) });
  return here.flatMap((conflict) =>
    conflict.annotation_ids.flatMap((annotation) => {
      const own = data[jobs.indexOf(annotation.job_id)]?.data;
      const box: Box | null = own === undefined ? null : boxOf(annotation, own, frame);
      return box === null ? [] : [{ conflict, box, isTruth: annotation.job_id !== job.id }];
    }),
  );
}

/** Solid lines around objects of the job, dotted lines around ground truth. */
export function ConflictMarks({ marks }: { readonly marks: readonly ConflictMark[] }) {
  const t = useText();
  const { review } = useSession();
  const chosen = useReview((state) => state.conflict);
  return marks.map(({ conflict, box, isTruth }, index) => {
    const isFirst = marks.findIndex((mark) => mark.conflict.id === conflict.id) === index;
    return (
      <div
        key={`${conflict.id} ${String(isTruth)}`}
        className={classes.region}
        data-box={boxText(box)}
        data-conflict={conflict.severity}
        data-truth={isTruth || undefined}
        data-chosen={conflict.id === chosen || undefined}
      >
        {isFirst && (
          <button
            type="button"
            className={classes.conflict}
            data-testid="conflict-mark"
            aria-pressed={conflict.id === chosen}
            onClick={() => void review.lookAt(conflict)}
          >
            {t(`quality.kinds.${conflict.type}`)}
          </button>
        )}
      </div>
    );
  });
}
