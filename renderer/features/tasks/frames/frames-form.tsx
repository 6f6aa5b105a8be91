import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import { ChoiceRow } from '../../../parts/dataset/choice-row.tsx';
import { FieldRow } from '../../../parts/dataset/field-row.tsx';
import { Group, NumberInput, Switch, TextInput } from '../../../ui/kit.ts';
import type { FramesChoice } from './frames-choice.ts';

interface FieldsProps {
  readonly task: Task;
  readonly choice: FramesChoice;
  readonly onChange: (change: Partial<FramesChoice>) => void;
}

/** Which frames: a step within a range, a list, or those with annotations. */
export function SelectionFields({ task, choice, onChange }: FieldsProps) {
  const t = useText();
  const end = (task.size ?? 1) - 1;
  return (
    <>
      <ChoiceRow
        label={t('frames.which')}
        value={choice.which}
        onChange={(which) => onChange({ which })}
        choices={[
          { value: 'every', label: t('frames.every') },
          { value: 'list', label: t('frames.list') },
          { value: 'annotated', label: t('frames.annotated') },
        ]}
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
        <FieldRow label="" note={t('frames.listHint')}>
          <TextInput
            aria-label={t('frames.listLabel')}
            size="xs"
            value={choice.list}
            onChange={(event) => onChange({ list: event.currentTarget.value })}
          />
        </FieldRow>
      )}
    </>
  );
}

/** What becomes of them: a task with or without annotations, or files; and how the images are written. */
export function ResultFields({ task, choice, onChange }: FieldsProps) {
  const t = useText();
  return (
    <>
      <ChoiceRow
        label={t('frames.result')}
        value={choice.result}
        onChange={(result) => onChange({ result })}
        choices={[
          { value: 'task', label: t('frames.asTask') },
          { value: 'files', label: t('frames.asFiles') },
        ]}
      />
      {choice.result === 'task' && (
        <>
          <FieldRow label={t('frames.name')}>
            <TextInput
              aria-label={t('frames.name')}
              size="xs"
              maxLength={256}
              value={choice.name}
              onChange={(event) => onChange({ name: event.currentTarget.value })}
            />
          </FieldRow>
          {task.project_id !== null && (
            <FieldRow label={t('frames.project')}>
              <Switch
                label={t('frames.sameProject', { name: task.project_name ?? '' })}
                checked={choice.sameProject}
                onChange={(event) => onChange({ sameProject: event.currentTarget.checked })}
              />
            </FieldRow>
          )}
          <FieldRow label={t('frames.annotations')} note={choice.annotations ? t('frames.tracksNote') : undefined}>
            <Switch
              label={t('frames.withAnnotations')}
              checked={choice.annotations}
              onChange={(event) => onChange({ annotations: event.currentTarget.checked })}
            />
            {choice.annotations && (
              <Switch
                label={t('frames.trackGroups')}
                checked={choice.trackGroups}
                onChange={(event) => onChange({ trackGroups: event.currentTarget.checked })}
              />
            )}
          </FieldRow>
        </>
      )}
      <ChoiceRow
        label={t('frames.image')}
        value={choice.image}
        onChange={(image) => onChange({ image })}
        choices={[
          { value: 'jpeg', label: t('frames.jpeg') },
          { value: 'png', label: t('frames.png') },
        ]}
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
