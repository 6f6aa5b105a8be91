import type { Task } from '../../../../../preload/contract/schema/resources.ts';
import { useText, type TextFunction } from '../../../../i18n/index.ts';
import { ChoiceRow, FieldRow } from '../../../../shared/dataset/field-row.tsx';
import { Group, NumberInput, Switch, TextInput } from '../../../../ui/kit.ts';

interface FieldsProps {
  readonly task: Task;
  readonly choice: FramesChoice;
  readonly onChange: (change: Partial<FramesChoice>) => void;
}

type Word = 'every' | 'list' | 'annotated' | 'asTask' | 'asFiles' | 'jpeg' | 'png';

function named<Value extends string>(t: TextFunction, words: Readonly<Record<Value, Word>>) {
  const nameOf = (word: Word): string => t(`frames.${word}`);
  // The record has no other keys.
  return (Object.keys(words) as Value[]).map((value) => ({ value, label: nameOf(words[value]) }));
}

interface TextRowProps {
  readonly label: string;
  readonly name?: string;
  readonly note?: string;
  readonly maxLength?: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const TextRow = ({ label, name = label, note, onChange, ...rest }: TextRowProps) => (
  <FieldRow label={label} note={note}>
    <TextInput aria-label={name} size="xs" onChange={onChange} {...rest} />
  </FieldRow>
);

/** Frame selection: a step within a range, a list, or annotated frames. */
export function SelectionFields({ task, choice, onChange }: FieldsProps) {
  const t = useText();
  const end = (task.size ?? 1) - 1;
  return (
    <>
      <ChoiceRow
        label={t('frames.which')}
        value={choice.which}
        onChange={(which) => onChange({ which })}
        choices={named(t, { every: 'every', list: 'list', annotated: 'annotated' })}
      />
      {choice.which === 'every' && (
        <FieldRow label="">
          <Group gap="sm" grow maw={420}>
            <NumberInput
              data-autofocus
              label={t('frames.step')}
              size="xs"
              min={1}
              max={end + 1}
              allowDecimal={false}
              value={choice.step}
              onChange={(value) => typeof value === 'number' && onChange({ step: Math.max(1, value) })}
            />
            <NumberInput
              label={t('frames.from')}
              size="xs"
              min={0}
              max={end}
              allowDecimal={false}
              value={choice.first}
              onChange={(value) => onChange({ first: typeof value === 'number' ? value : 0 })}
            />
            <NumberInput
              label={t('frames.to')}
              size="xs"
              min={0}
              max={end}
              allowDecimal={false}
              placeholder={String(end)}
              value={choice.last ?? ''}
              onChange={(value) => onChange({ last: typeof value === 'number' ? value : null })}
            />
          </Group>
        </FieldRow>
      )}
      {choice.which === 'list' && (
        <TextRow
          label=""
          name={t('frames.listLabel')}
          note={t('frames.listHint')}
          value={choice.list}
          onChange={(list) => onChange({ list })}
        />
      )}
    </>
  );
}

/** Result: a task with or without annotations, or files; and the image format. */
export function ResultFields({ task, choice, onChange }: FieldsProps) {
  const t = useText();
  return (
    <>
      <ChoiceRow
        label={t('frames.result')}
        value={choice.result}
        onChange={(result) => onChange({ result })}
        choices={named(t, { task: 'asTask', files: 'asFiles' })}
      />
      {choice.result === 'task' && (
        <>
          <TextRow
            label={t('frames.name')}
            maxLength={256}
            value={choice.name}
            onChange={(name) => onChange({ name })}
          />
          {task.project_id !== null && (
            <FieldRow label={t('frames.project')}>
              <Switch
                label={t('frames.sameProject', { name: task.project_name ?? '' })}
                checked={choice.sameProject}
                onChange={(isOn) => onChange({ sameProject: isOn })}
              />
            </FieldRow>
          )}
          <FieldRow label={t('frames.annotations')} note={choice.annotations ? t('frames.tracksNote') : undefined}>
            <Switch
              label={t('frames.withAnnotations')}
              checked={choice.annotations}
              onChange={(isOn) => onChange({ annotations: isOn })}
            />
            {choice.annotations && (
              <Switch
                label={t('frames.trackGroups')}
                checked={choice.trackGroups}
                onChange={(isOn) => onChange({ trackGroups: isOn })}
              />
            )}
          </FieldRow>
        </>
      )}
      <ChoiceRow
        label={t('frames.image')}
        value={choice.image}
        onChange={(image) => onChange({ image })}
        choices={named(t, { jpeg: 'jpeg', png: 'png' })}
      />
      {choice.image === 'jpeg' && (
        <FieldRow label={t('frames.quality')}>
          <NumberInput
            aria-label={t('frames.quality')}
            size="xs"
            maw={132}
            min={1}
            max={100}
            allowDecimal={false}
            value={choice.quality}
            onChange={(value) => typeof value === 'number' && onChange({ quality: Math.min(100, Math.max(1, value)) })}
          />
        </FieldRow>
      )}
    </>
  );
}

export interface FramesChoice {
  readonly which: 'every' | 'list' | 'annotated';
  readonly step: number;
  readonly first: number;
  /** Null for an empty field, which means the last frame. */
  readonly last: number | null;
  readonly list: string;
  readonly result: 'task' | 'files';
  readonly name: string;
  readonly image: 'jpeg' | 'png';
  readonly quality: number;
  readonly sameProject: boolean;
  readonly annotations: boolean;
  readonly trackGroups: boolean;
}

export interface Selection {
  readonly frames?: string;
  readonly annotated: boolean;
}

export const newChoice = (name: string): FramesChoice => ({
  which: 'every',
  step: 10,
  first: 0,
  last: null,
  list: '',
  result: 'task',
  name,
  image: 'jpeg',
  quality: 95,
  sameProject: true,
  annotations: true,
  trackGroups: true,
});

/** The frames in the service's format; null if a required field is empty. */
export function selectionOf({ which, step, first, last, list }: FramesChoice): Selection | null {
  if (which === 'annotated') return { annotated: true };
  if (which === 'list') return list.trim() === '' ? null : { frames: list, annotated: false };
  return { frames: `${first}-${last ?? ''}:${step}`, annotated: false };
}

const imageOf = ({ image, quality }: FramesChoice) =>
  image === 'png' ? ({ image_format: 'png' } as const) : ({ image_format: 'jpeg', image_quality: quality } as const);

export const filesBody = (choice: FramesChoice, selection: Selection) => ({ ...selection, ...imageOf(choice) });

export const taskBody = (choice: FramesChoice, selection: Selection) => ({
  ...filesBody(choice, selection),
  name: choice.name.trim(),
  same_project: choice.sameProject,
  annotations: choice.annotations,
  track_groups: choice.trackGroups,
});
