import { useState } from 'react';
import { z } from 'zod';
import type { GitConflict } from '../../../preload/contract/schema/git.ts';
import type { RemoteConflict } from '../../../preload/contract/schema/remotes.ts';
import { useText, type TextFunction } from '../../i18n/index.ts';
import { jobStages, jobStates } from '../../../preload/contract/schema/resources.ts';
import { Button, Dimmed, Group, PartName, SegmentedControl, Stack, Text, Title } from '../../ui/kit.ts';
import { joined } from '../../ui/list.tsx';
import classes from './conflicts.module.css';
import { shapeTypes } from '../../../preload/contract/annotation-names.ts';
import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { joinedPath } from '../object-paths.ts';

export type Decision = 'mine' | 'theirs' | 'both';
export interface Decided {
  readonly uid: string;
  /** Versions that the user saw. */
  readonly version: string;
  readonly decision: Decision;
}

/** Object that changed on both ends since they were equal. Only conflicts with a server have issues or a stage. */
export type Conflict = Omit<GitConflict, 'kind' | 'frame' | 'label'> & Pick<RemoteConflict, 'kind' | 'frame' | 'label'>;

interface ConflictsProps {
  /** True if several tasks may be affected. */
  readonly namesTasks: boolean;
  readonly conflicts: readonly Conflict[];
  /** Sentence for an object that the other end deleted. */
  readonly deletedThere: string;
  readonly count: number;
  readonly isBusy: boolean;
  readonly onDecided: (decisions: readonly Decided[]) => void;
}

const choices: readonly Decision[] = ['mine', 'theirs', 'both'];

/** Objects that were changed locally and remotely, with a choice: mine, theirs or both. */
export function Conflicts({ namesTasks, conflicts, deletedThere, count, isBusy, onDecided }: ConflictsProps) {
  const t = useText();
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decided>>(new Map());
  const decide = (decided: readonly Conflict[], decision: Decision): void =>
    setDecisions(
      (before) =>
        new Map([...before, ...decided.map(({ uid, version }) => [uid, { uid, version, decision }] as const)]),
    );
  const made = conflicts.flatMap(({ uid, version }) => {
    const decided = decisions.get(uid);
    return decided?.version === version ? [decided] : [];
  });
  return (
    <section aria-label={t('git.conflictsTitle', { count })} data-testid="conflicts">
      <Stack gap="sm">
        <div role="alert">
          <Title order={2}>{t('git.conflictsTitle', { count })}</Title>
          <Dimmed mt={4}>
            {t('git.conflictsText')}
            {count > conflicts.length && ` ${t('git.shownPart', { count: conflicts.length })}`}
          </Dimmed>
        </div>
        {conflicts.length > 1 && (
          <Group gap={8} role="group" aria-label={t('git.forAll')}>
            <Text fz="sm">{t('git.forAll')}</Text>
            {choices.map((choice) => (
              <Button key={choice} size="compact-xs" variant="default" onClick={() => decide(conflicts, choice)}>
                {t(`git.${choice}`)}
              </Button>
            ))}
          </Group>
        )}
        <ul>
          {conflicts.map((conflict) => (
            <ConflictRow
              key={conflict.uid}
              namesTask={namesTasks}
              conflict={conflict}
              deletedThere={deletedThere}
              decided={decisions.get(conflict.uid)}
              onDecide={(decision) => decide([conflict], decision)}
            />
          ))}
        </ul>
        <Group>
          <Button disabled={made.length < conflicts.length} loading={isBusy} onClick={() => onDecided(made)}>
            {t('git.apply')}
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

interface ConflictRowProps {
  readonly namesTask: boolean;
  readonly conflict: Conflict;
  readonly deletedThere: string;
  readonly decided: Decided | undefined;
  readonly onDecide: (decision: Decision) => void;
}

/** Choices that differ: with one version deleted, both equals the other one, and a job has one stage. */
const offeredFor = ({ kind, mine, theirs }: Conflict): readonly Decision[] =>
  mine === null || theirs === null || kind === 'issue' || kind === 'job' ? choices.slice(0, 2) : choices;

function ConflictRow({ namesTask, conflict, deletedThere, decided, onDecide }: ConflictRowProps) {
  const t = useText();
  const { kind, mine, theirs, task_name: task } = conflict;
  const name = joined([namesTask ? task : null, nameOf(t, conflict)]);
  const what = (): string => {
    if (mine === null) return t('git.youDeleted');
    if (theirs === null) return deletedThere;
    if (kind === 'issue' || kind === 'comment' || kind === 'job')
      return t('remote.values', { mine: reviewText(t, mine), theirs: reviewText(t, theirs) });
    const parts = differentParts(mine, theirs);
    return t('git.differs', { what: parts.map((part) => t(`git.parts.${part}`)).join(', ') });
  };
  const offered = offeredFor(conflict);
  const hasChanged = decided !== undefined && decided.version !== conflict.version;
  return (
    <li className={classes.conflict}>
      <ConflictImage conflict={conflict} />
      <Stack gap={6} style={{ minWidth: 0 }}>
        <PartName>{name}</PartName>
        <Dimmed>{what()}</Dimmed>
        {hasChanged && <Text fz="sm">{t('git.changedAgain')}</Text>}
        <Group>
          <SegmentedControl
            size="xs"
            aria-label={t('git.decisionOn', { name })}
            data={offered.map((value) => ({ value, label: t(`git.${value}`) }))}
            value={hasChanged ? '' : (decided?.decision ?? '')}
            // The values come from the list.
            onChange={(value) => onDecide(value as Decision)}
          />
        </Group>
      </Stack>
    </li>
  );
}

function nameOf(t: TextFunction, { kind, label, frame }: Conflict): string {
  if (kind === 'job') return t('remote.conflictStage');
  if (kind === 'comment') return t('remote.conflictComment');
  if (kind === 'issue') return t('remote.conflictIssue', { frame: frame ?? 0 });
  return t('git.conflictOf', { label: label ?? '', frame: frame ?? 0 });
}

const reviewSchema = z.union([
  z.object({ kind: z.literal('job'), stage: z.enum(jobStages), state: z.enum(jobStates) }),
  z.object({ kind: z.literal('comment'), message: z.string() }),
  z.object({ kind: z.literal('issue'), resolved: z.boolean(), has_new_comments: z.boolean().default(false) }),
]);

function reviewText(t: TextFunction, side: Side): string {
  const { data } = reviewSchema.safeParse(side);
  if (data === undefined) return JSON.stringify(side);
  if (data.kind === 'job') return `${t(`tasks.status.${data.stage}`)}, ${t(`tasks.status.${data.state}`)}`;
  if (data.kind === 'comment') return `“${data.message}”`;
  if (data.has_new_comments) return t('remote.newComments');
  return t(data.resolved ? 'remote.resolved' : 'remote.unresolved');
}

const partsOf = {
  label: ['label'],
  place: ['points', 'rotation', 'elements', 'shapes', 'type', 'frame'],
  attributes: ['attributes'],
  marks: ['occluded', 'outside'],
  order: ['z_order'],
} as const;

function differentParts(mine: Side, theirs: Side): (keyof typeof partsOf | 'other')[] {
  const names = Object.keys(partsOf) as (keyof typeof partsOf)[];
  const found = names.filter((name) =>
    partsOf[name].some((key) => JSON.stringify(mine[key]) !== JSON.stringify(theirs[key])),
  );
  return found.length > 0 ? found : ['other'];
}

type Side = Readonly<Record<string, unknown>>;

/** Part of the frame with both versions over it. Empty for tags, which have no position. */
function ConflictImage({ conflict }: { readonly conflict: Conflict }) {
  const t = useText();
  const [mine, theirs, base] = [drawnOf(conflict.mine), drawnOf(conflict.theirs), drawnOf(conflict.base)];
  const boxes = [...mine, ...theirs].flatMap((part) => boundingBox(part) ?? []);
  if (boxes.length === 0 || conflict.frame === null) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(1, ...boxes.map((box) => box.right - left));
  const height = Math.max(1, ...boxes.map((box) => box.bottom - top));
  const margin = Math.max(width, height) * 0.25;
  const pixel = Math.max((width + 2 * margin) / 160, (height + 2 * margin) / 120);
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin].join(' ');
  const address = `/api/tasks/${conflict.task_id}/data?type=frame&number=${conflict.frame}&quality=compressed`;
  const [ofMine, ofTheirs, ofBase] = [mine, theirs, base].map((parts) =>
    parts.map((part) => joinedPath(part, pixel)).join(''),
  );
  return (
    <svg className={classes.picture} viewBox={box} role="img" aria-label={t('git.picture')}>
      <image href={address} x={0} y={0} />
      <path className={classes.shadow} d={ofMine} strokeWidth={pixel * 3.5} />
      <path className={classes.shadow} d={ofTheirs} strokeWidth={pixel * 3.5} />
      <path className={classes.base} d={ofBase} strokeWidth={pixel} strokeDasharray={`${pixel} ${pixel * 2}`} />
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
