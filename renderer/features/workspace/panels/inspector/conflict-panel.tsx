import type { TrackRecord, ObjectRecord, ShapeRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { Button, Group, Stack, Text, UnstyledButton } from '../../../../ui/kit.ts';
import { choicesOf } from '../../model/saving/conflict.ts';
import { recordFromEdit } from '../../model/saving/record-codec.ts';
import type { ConflictChoice, Edit } from '../../model/saving/save-types.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { theirRecord } from '../../model/remote-changes/conflict-controller.ts';
import classes from './conflict-panel.module.css';
import { conflictParts, outlineText, viewOf } from './conflict-text.ts';

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
