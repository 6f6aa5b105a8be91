import type { TrackRecord, ObjectRecord, ShapeRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { Button, Group, Stack, Text, UnstyledButton } from '../../../../ui/kit.ts';
import { choicesOf } from '../../model/saving/conflict.ts';
import { recordFromEdit, sameBody } from '../../model/saving/record-codec.ts';
import type { ConflictChoice, Edit } from '../../model/saving/save-types.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { theirRecord } from '../../model/remote-changes/conflict-controller.ts';
import classes from './conflict-panel.module.css';
import { boxHeight, boxWidth, emptyBox, isEmptyBox, uniteBoxes } from '../../../../canvas/geometry/box.ts';
import { createPathText } from '../../../../canvas/path-text.ts';
import { behaviourOf, boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import { ringsOf } from '../../../../canvas/shapes/shape-rings.ts';

const parts = {
  label: ['label_id'],
  place: ['points', 'rotation', 'elements', 'shapes', 'type', 'frame'],
  attributes: ['attributes'],
  marks: ['occluded', 'outside'],
  order: ['z_order'],
  group: ['group'],
} as const satisfies Record<string, readonly string[]>;
type ConflictPart = keyof typeof parts;

function conflictParts({ body, theirs, deleted }: Edit): ConflictPart[] {
  if (theirs === undefined || theirs === null || deleted) return [];
  const names = Object.keys(parts) as ConflictPart[];
  const only = (given: Edit['body'], keys: readonly string[]) =>
    // Part of a body, to compare with `sameBody`.
    Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key))) as unknown as Edit['body'];
  return names.filter((name) => !sameBody(only(body, parts[name]), only(theirs, parts[name])));
}

/** Outline of a shape as SVG path data, image pixels. */
function outlineText(shape: ShapeRecord): string {
  const path = createPathText();
  if (shape.type === 'mask') {
    for (const ring of ringsOf(shape)) {
      for (let at = 0; at < ring.length; at += 2) {
        const [x = 0, y = 0] = [ring[at], ring[at + 1]];
        if (at === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
      path.closePath();
    }
    return path.text();
  }
  const context = { pixel: 1, label: () => undefined, mask: () => neverAsked() };
  behaviourOf(shape).trace(shape, { area: path, line: path, dot: path }, context);
  return path.text();
}

function neverAsked(): never {
  throw new Error('Only a mask can be decoded as a mask.');
}

/** SVG view box around the shapes with a margin; null if there are no outlines. */
function viewOf(shapes: readonly ShapeRecord[]): { readonly box: string; readonly pixel: number } | null {
  const bounds = shapes.map(boundsOf).reduce(uniteBoxes, emptyBox);
  if (isEmptyBox(bounds)) return null;
  const { left, top } = bounds;
  const [width, height] = [Math.max(1, boxWidth(bounds)), Math.max(1, boxHeight(bounds))];
  const margin = Math.max(width, height) * 0.08;
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin];
  return { box: box.join(' '), pixel: Math.max(width, height) / 80 };
}

/** A user cannot review more at once; the rest follows as these are resolved. */
const mostShown = 20;

/** A track is represented by its shape on its first frame. */
function useShape() {
  const { engine } = useSession();
  const ofTrack = (track: TrackRecord): ShapeRecord | null => engine.tracks.at(track, track.frame);
  return (record: ObjectRecord | null): ShapeRecord | null => {
    if (record === null || record.kind === 'tag') return null;
    return record.kind === 'track' ? ofTrack(record) : record;
  };
}

const Picture = ({ mine, theirs }: { readonly mine: ShapeRecord | null; readonly theirs: ShapeRecord | null }) => {
  const t = useText();
  const view = viewOf([mine, theirs].filter((shape) => shape !== null));
  if (view === null) return null;
  return (
    <svg className={classes.picture} viewBox={view.box} role="img" aria-label={t('others.picture')}>
      {theirs !== null && (
        <path
          stroke="var(--mantine-color-text)"
          d={outlineText(theirs)}
          strokeWidth={view.pixel * 1.5}
          strokeDasharray={`${view.pixel * 5} ${view.pixel * 3}`}
        />
      )}
      {mine !== null && (
        <path stroke="var(--mantine-primary-color-light-color)" d={outlineText(mine)} strokeWidth={view.pixel * 1.5} />
      )}
    </svg>
  );
};

const Conflict = ({ conflict }: { readonly conflict: Edit }) => {
  const t = useText();
  const { conflicts, navigator } = useSession();
  const shapeOf = useShape();
  const label = useAnnotate((state) => state.labels.find(({ id }) => id === conflict.body.label_id)?.name);
  const plain = `${label ?? ''} ${conflict.serverId ?? ''}`.trim();
  const name = conflict.collection === 'tracks' ? t('others.track', { name: plain }) : plain;
  const { frame } = conflict.body;
  const what = (): string => {
    if (conflict.deleted) return t('others.youDeleted');
    if (conflict.theirs === null) return t('others.theyDeleted');
    return t('others.differs', {
      what: conflictParts(conflict)
        .map((part) => t(`others.parts.${part}`))
        .join(', '),
    });
  };
  return (
    <li className={classes.conflict} data-testid="clash">
      <Picture mine={shapeOf(recordFromEdit(conflict))} theirs={shapeOf(theirRecord(conflict))} />
      <Stack gap={4} flex={1} miw={0}>
        <UnstyledButton
          className={classes.name ?? ''}
          title={t('others.goThere', { frame })}
          onClick={() => void navigator.goTo(frame)}
        >
          {t('others.clash', { name, frame })}
        </UnstyledButton>
        <Text fz={12} c="dimmed">
          {what()}
        </Text>
        <Group gap={4} role="group" aria-label={name}>
          {choicesOf(conflict).map((choice) => (
            <Button
              key={choice}
              size="compact-xs"
              variant={choice === 'mine' ? 'light' : 'default'}
              onClick={() => conflicts.choose(conflict, choice)}
            >
              {t(`others.${choice}`)}
            </Button>
          ))}
        </Group>
      </Stack>
    </li>
  );
};

/** Conflicts, each with its choice: mine, theirs or both. Empty if there are none. */
export function ConflictPanel() {
  const t = useText();
  const { conflicts } = useSession();
  const all = useAnnotate((state) => state.save.conflicts);
  if (all.length === 0) return null;
  const chooseAll = (choice: ConflictChoice): void => {
    for (const conflict of all) conflicts.choose(conflict, choice);
  };
  return (
    <section className={classes.panel} aria-label={t('others.clashes', { count: all.length })} data-testid="clashes">
      <Stack gap={0} p="8px 12px 4px" role="alert">
        <Text component="h2" fz={13} fw={600}>
          {t('others.clashes', { count: all.length })}
        </Text>
        <Text fz={12} c="dimmed">
          {t('others.clashesWhat')}
        </Text>
      </Stack>
      {all.length > 1 && (
        <Group gap={4} p="0 12px 4px" role="group" aria-label={t('others.forAll')}>
          <Text fz={12} c="dimmed">
            {t('others.forAll')}
          </Text>
          {(['mine', 'theirs', 'both'] as const).map((choice) => (
            <Button key={choice} size="compact-xs" variant="subtle" onClick={() => chooseAll(choice)}>
              {t(`others.${choice}`)}
            </Button>
          ))}
        </Group>
      )}
      <ul className={classes.list}>
        {all.slice(0, mostShown).map((conflict) => (
          <Conflict key={conflict.localId} conflict={conflict} />
        ))}
      </ul>
    </section>
  );
}
