import { z } from 'zod';
import { shapeTypes } from '../../../../preload/contract/annotation-names.ts';
import { boundingBox } from '../../../../preload/geometry/geometry.ts';
import type { GitConflict } from '../../../../preload/contract/schema/git.ts';
import { useText } from '../../../i18n/index.ts';
import { joinedPath } from '../../../shared/object-paths.ts';
import classes from './conflicts.module.css';

type Side = Readonly<Record<string, unknown>>;

/** Part of the frame with both versions over it. Empty for tags, which have no position. */
export function ConflictImage({ conflict }: { readonly conflict: GitConflict }) {
  const t = useText();
  const [mine, theirs] = [drawnOf(conflict.mine), drawnOf(conflict.theirs)];
  const boxes = [...mine, ...theirs].flatMap((part) => boundingBox(part) ?? []);
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(1, ...boxes.map((box) => box.right - left));
  const height = Math.max(1, ...boxes.map((box) => box.bottom - top));
  const margin = Math.max(width, height) * 0.25;
  const pixel = Math.max((width + 2 * margin) / 160, (height + 2 * margin) / 120);
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin].join(' ');
  const address = `/api/tasks/${conflict.task_id}/data?type=frame&number=${conflict.frame}&quality=compressed`;
  const [ofMine, ofTheirs] = [mine, theirs].map((parts) => parts.map((part) => joinedPath(part, pixel)).join(''));
  return (
    <svg className={classes.picture} viewBox={box} role="img" aria-label={t('git.picture')}>
      <image href={address} x={0} y={0} />
      <path className={classes.shadow} d={ofMine} strokeWidth={pixel * 3.5} />
      <path className={classes.shadow} d={ofTheirs} strokeWidth={pixel * 3.5} />
      <path
        className={classes.theirs}
        d={ofTheirs}
        strokeWidth={pixel * 1.75}
        strokeDasharray={`${pixel * 5} ${pixel * 3}`}
      />
      <path d={ofMine} strokeWidth={pixel * 1.75} />
    </svg>
  );
}

const drawnSchema = z.object({
  type: z.enum(shapeTypes),
  points: z.array(z.number()).min(2),
  rotation: z.number().default(0),
  elements: z.array(z.never()).default([]),
});

const list = (value: unknown): Side[] => (Array.isArray(value) ? (value as Side[]) : []);

function drawnOf(side: Side | null): z.infer<typeof drawnSchema>[] {
  if (side === null || side['kind'] === 'tag') return [];
  const elements = list(side['elements']);
  if (elements.length > 0) return elements.flatMap(drawnOf);
  const own = side['kind'] === 'track' || side['points'] === undefined ? list(side['shapes']).slice(0, 1) : [side];
  return own.flatMap((part) => drawnSchema.safeParse(part).data ?? []);
}
