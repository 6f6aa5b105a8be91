import { IconCheck, IconX } from '@tabler/icons-react';
import { useSyncExternalStore, type CSSProperties } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Anchor, Button, Group, Text } from '../../../../ui/kit.ts';
import { ShareSlider } from '../../../../ui/share-slider.tsx';
import { keepFocus } from '../../commands/focus.ts';
import inspector from '../inspector/inspector.module.css';
import { RecordList } from '../virtual-rows.tsx';
import { useAnnotate, useSession, useShortcuts } from '../session-context.ts';
import classes from './models.module.css';
import { readTextOf, scoreOf } from '../../model/models/suggestion-records.ts';
import { useIsHovered } from '../scene-hooks.ts';
import { programOf } from '../../model/models/offered-suggestions.ts';
import { useModels, useSuggestions } from './use-models.ts';

const decisions = [
  ['accept', IconCheck],
  ['reject', IconX],
] as const;
const percent = (value: number): string => `${Math.round(value * 100)} %`;

interface RowProps {
  readonly record: SceneRecord;
  readonly selected: boolean;
  /** Position in reading order; null for models that read no text. */
  readonly place: number | null;
}

const valuesText = ({ attributes }: SceneRecord, label: Label): string =>
  attributes
    .map(({ spec_id: id, value }) => `${label.attributes.find((own) => own.id === id)?.name ?? '?'}: ${value}`)
    .join(', ');

/** Texts with a lower score need a look. */
const surelyRead = 0.9;

const Row = ({ record, selected, place }: RowProps) => {
  const t = useText();
  const { engine, models } = useSession();
  const keyOf = useShortcuts();
  const label = useAnnotate((state) => state.labels.find(({ id }) => id === record.labelId));
  const hovered = useIsHovered(record.clientId);
  const type = record.kind === 'shape' ? record.type : 'tag';
  const isOfAttributes = record.suggestsAttributes === true;
  const read = useAnnotate((state) => readTextOf(record, state.labels));
  const name = read === '' ? (label?.name ?? '?') : read;
  const isUnsure = read !== '' && scoreOf(record) < surelyRead;
  const program = useModels((state) => programOf(record, state.programs));
  const score = record.kind === 'shape' ? percent(scoreOf(record)) : t(`annotate.shape.${type}`);
  const values = isOfAttributes && label !== undefined ? valuesText(record, label) : '';
  return (
    <div
      className={inspector.row}
      style={{ '--row-color': label?.color ?? 'transparent' } as CSSProperties}
      role="listitem"
      data-testid="suggestion"
      data-selected={selected || undefined}
      data-hovered={hovered || undefined}
      onMouseDown={keepFocus}
      onPointerEnter={() => engine.setHover(record.clientId)}
      onPointerLeave={() => engine.setHover(null)}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the arrow keys walk the suggestions */}
      <div className={inspector.line} onClick={() => models.suggestions.select(record.clientId)}>
        {place !== null && <span className={classes.place}>{place}</span>}
        <bdi className={inspector.name} title={isOfAttributes ? `${name}: ${values}` : name}>
          {name}
          {isOfAttributes && (
            <Text span fz="xs" ml={6}>
              {values}
            </Text>
          )}
          {program !== undefined && (
            <Text span fz="xs" c="dimmed" ml={6}>
              {t('assist.suggestedBy', { name: program })}
            </Text>
          )}
        </bdi>
        <span className={inspector.objectId} data-unsure={isUnsure || undefined}>
          {isOfAttributes ? '' : score}
        </span>
        <div className={inspector.buttons}>
          {decisions.map(([decide, Sign]) => (
            <IconButton
              key={decide}
              size="sm"
              label={t(`assist.${decide}One`, { name })}
              shortcut={keyOf(`model.${decide}`)}
              icon={<Sign size={16} stroke={1.75} />}
              onClick={(event) => {
                event.stopPropagation();
                models.suggestions[decide]([record.clientId]);
              }}
            />
          ))}
        </div>
      </div>
    </div>
  );
};

const Elsewhere = () => {
  const t = useText();
  const { models, navigator } = useSession();
  const { suggestionStore } = models.suggestions;
  const frame = useAnnotate((state) => state.wantedFrame);
  const frames = useSyncExternalStore(suggestionStore.subscribe, suggestionStore.frames).filter(
    (one) => one.frame !== frame,
  );
  const next = frames.find((one) => one.frame > frame) ?? frames[0];
  if (next === undefined) return null;
  const count = frames.reduce((sum, one) => sum + one.count, 0);
  return (
    <Text fz="xs" className={classes.elsewhere ?? ''} onMouseDown={keepFocus} data-testid="suggestions-elsewhere">
      {t('assist.elsewhere', { count })}{' '}
      <Anchor component="button" type="button" fz="xs" onClick={() => void navigator.goTo(next.frame)}>
        {t('assist.goToFrame', { frame: next.frame })}
      </Anchor>
    </Text>
  );
};

const Head = ({ shown, hidden }: { readonly shown: readonly SceneRecord[]; readonly hidden: number }) => {
  const t = useText();
  const { suggestions } = useSession().models;
  const minimum = useModels((state) => state.minimumScore);
  const ids = shown.map(({ clientId }) => clientId);
  return (
    <div className={classes.listHead}>
      <Group gap={4} wrap="nowrap" mih={24} onMouseDown={keepFocus}>
        <Text fz="sm" fw={600} aria-live="polite" data-testid="suggestion-count">
          {t('assist.suggestions', { count: shown.length })}
        </Text>
        <span style={{ flex: 1 }} />
        <Button size="compact-xs" disabled={ids.length === 0} onClick={() => suggestions.accept(ids)}>
          {t('assist.acceptAll')}
        </Button>
        <Button size="compact-xs" variant="default" disabled={ids.length === 0} onClick={() => suggestions.reject(ids)}>
          {t('assist.rejectAll')}
        </Button>
      </Group>
      <div className={classes.filterLine}>
        <Text fz="xs" c="dimmed">
          {t('assist.minimumScore')}
        </Text>
        <ShareSlider
          name={t('assist.minimumScore')}
          label={percent}
          value={minimum}
          onChange={(value) => suggestions.setMinimumScore(value)}
        />
        <Text fz="xs" className={classes.value ?? ''}>
          {percent(minimum)}
        </Text>
      </div>
      {hidden > 0 && (
        <Text fz="xs" c="dimmed">
          {t('assist.belowFilter', { count: hidden })}
        </Text>
      )}
    </div>
  );
};

export function SuggestionList() {
  const t = useText();
  const records = useSuggestions();
  const minimum = useModels((state) => state.minimumScore);
  const labels = useAnnotate((state) => state.labels);
  // Attributes whose object was changed or deleted since are hidden too.
  const shown = records.filter(({ hidden }) => !hidden);
  const below = records.filter((record) => scoreOf(record) < minimum);
  const isText = shown.some((record) => readTextOf(record, labels) !== '');
  if (shown.length + below.length === 0) return <Elsewhere />;
  return (
    <>
      <Head shown={shown} hidden={below.length} />
      <RecordList
        records={shown}
        role="list"
        aria-label={t('assist.list')}
        minHeight={111}
        renderRow={(record, selection) => (
          <Row
            record={record}
            selected={selection.includes(record.clientId)}
            place={isText ? shown.indexOf(record) + 1 : null}
          />
        )}
      />
      <Elsewhere />
      <Text fz="xs" c="dimmed" className={classes.keys ?? ''}>
        {t('assist.keys')}
      </Text>
    </>
  );
}
