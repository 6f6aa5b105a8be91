import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { BatchWrite } from '../../../preload/contract/schema/batches.ts';
import { invalidField } from '../../platform/errors.ts';

type Wanted = Pick<BatchWrite, 'only_empty' | 'only_annotated' | 'with_labels' | 'without_labels'>;
interface NamedLabel {
  readonly id: number;
  readonly name: string;
}

/** Selects frames by their existing annotations; null if every frame is selected. */
export function wantedFrames(
  { only_empty: onlyEmpty, only_annotated: onlyAnnotated, with_labels: having, without_labels: lacking }: Wanted,
  {
    annotations,
    labels,
    last,
  }: {
    /** Read only if a filter needs them. */
    readonly annotations: () => LabeledData;
    readonly labels: readonly NamedLabel[];
    readonly last: number;
  },
): ((frame: number) => boolean) | null {
  if (onlyEmpty && (onlyAnnotated || having !== null))
    throw invalidField(
      'only_empty',
      'Cannot select frames that are both without annotations and annotated. Choose one of the two.',
    );
  if (!onlyEmpty && !onlyAnnotated && having === null && lacking === null) return null;
  const shown = labelsByFrame(annotations(), last);
  const idsOf = (names: readonly string[]): number[] =>
    labels.flatMap(({ id, name }) => (names.includes(name) ? id : []));
  const [wanted, unwanted] = [having === null ? null : idsOf(having), lacking === null ? [] : idsOf(lacking)];
  return (frame) => {
    const own = shown.get(frame);
    if (onlyEmpty) return own === undefined;
    if (onlyAnnotated && own === undefined) return false;
    if (wanted !== null && !wanted.some((id) => own?.has(id))) return false;
    return !unwanted.some((id) => own?.has(id));
  };
}

/** Labels visible on each frame. A track counts from each keyframe until the next one hides it. */
function labelsByFrame({ shapes, tags, tracks }: LabeledData, last: number): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  const see = (frame: number, label: number): void =>
    void found.set(frame, (found.get(frame) ?? new Set<number>()).add(label));
  for (const { frame, label_id: label } of [...shapes, ...tags]) see(frame, label);
  for (const { label_id: label, shapes: keyframes } of tracks) {
    const ordered = keyframes.toSorted((a, b) => a.frame - b.frame);
    for (const [at, { frame, outside }] of ordered.entries()) {
      if (outside) continue;
      const end = ordered[at + 1]?.frame ?? last + 1;
      for (let number = frame; number < end; number += 1) see(number, label);
    }
  }
  return found;
}
