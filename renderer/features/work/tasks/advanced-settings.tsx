import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { mostReplicas } from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, NumberInput, SimpleGrid, TextInput, useDisclosure, ChoiceField } from '../../../ui/kit.ts';
import { isWebAddress } from '../pages/fact-fields.tsx';
import { usePeople, AssigneeSelect } from '../../../shared/people/people.tsx';
import { validationModes } from '../quality/validation-choice.ts';
import { ValidationFields } from '../quality/validation-fields.tsx';
import { hasPool, sortingMethods, type NewTaskForm } from './new-task-form.ts';

interface AdvancedSettingsProps {
  readonly form: NewTaskForm;
  readonly onChange: (change: Partial<NewTaskForm>) => void;
}

const whole = (value: string | number): number => Math.max(0, Math.round(Number(value) || 0));

/** A single replica has no other to agree with. */
const replicaCounts = [0, ...Array.from({ length: mostReplicas - 1 }, (_, at) => at + 2)];

/** Null for an empty field. */
const optional = (value: string | number): number | null => (value === '' ? null : whole(value));

/** Order, frames, jobs, quality, and the assignee of the new task. */
export function AdvancedSettings({ form, onChange }: AdvancedSettingsProps) {
  const t = useText();
  const [open, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={open ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        aria-expanded={open}
        onClick={toggle}
      >
        {t('newTask.advanced')}
      </Button>
      {open && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt={8} spacing="md">
          <FrameFields form={form} onChange={onChange} />
          <JobFields form={form} onChange={onChange} />
          <ValidationFields
            choice={form.validation}
            modes={validationModes}
            framesAs="names"
            onChange={(change) => onChange({ validation: { ...form.validation, ...change } })}
          />
          <PeopleFields form={form} onChange={onChange} />
        </SimpleGrid>
      )}
    </div>
  );
}

function FrameFields({ form, onChange }: AdvancedSettingsProps) {
  const t = useText();
  const { startFrame, stopFrame } = form;
  return (
    <>
      <ChoiceField
        label={t('newTask.sorting')}
        {...(hasPool(form) ? { disabled: true, description: t('validation.sorted') } : {})}
        data={sortingMethods.map((value) => ({ value, label: t(`newTask.sortingMethods.${value}`) }))}
        value={hasPool(form) ? 'random' : form.sorting}
        onChange={(value) => onChange({ sorting: value })}
      />
      <NumberInput
        label={t('newTask.step')}
        description={t('newTask.stepHint')}
        min={1}
        allowDecimal={false}
        value={form.step}
        onChange={(value) => onChange({ step: Math.max(1, whole(value)) })}
      />
      <NumberInput
        label={t('newTask.startFrame')}
        description={t('newTask.startFrameHint')}
        min={0}
        allowDecimal={false}
        value={startFrame ?? ''}
        onChange={(value) => onChange({ startFrame: optional(value) })}
      />
      <NumberInput
        label={t('newTask.stopFrame')}
        description={t('newTask.stopFrameHint')}
        min={0}
        allowDecimal={false}
        error={stopFrame !== null && stopFrame < (startFrame ?? 0) ? t('newTask.stopBeforeStart') : undefined}
        value={stopFrame ?? ''}
        onChange={(value) => onChange({ stopFrame: optional(value) })}
      />
    </>
  );
}

function JobFields({ form, onChange }: AdvancedSettingsProps) {
  const t = useText();
  return (
    <>
      <NumberInput
        label={t('newTask.segmentSize')}
        description={t('newTask.segmentSizeHint')}
        min={0}
        allowDecimal={false}
        value={form.segmentSize}
        onChange={(value) => onChange({ segmentSize: whole(value) })}
      />
      <NumberInput
        label={t('newTask.overlap')}
        description={t(hasPool(form) ? 'validation.noOverlap' : 'newTask.overlapHint')}
        min={0}
        allowDecimal={false}
        disabled={form.segmentSize === 0 || hasPool(form)}
        value={hasPool(form) ? 0 : form.overlap}
        onChange={(value) => onChange({ overlap: whole(value) })}
      />
      <ChoiceField
        label={t('consensus.replicas')}
        description={t('consensus.replicasHint')}
        data={replicaCounts.map((count) => ({
          value: String(count),
          label: count === 0 ? t('consensus.noReplicas') : String(count),
        }))}
        value={String(form.replicas)}
        onChange={(value) => onChange({ replicas: Number(value) })}
      />
      <NumberInput
        label={t('newTask.quality')}
        description={t('newTask.qualityHint')}
        min={1}
        max={100}
        allowDecimal={false}
        value={form.quality}
        onChange={(value) => onChange({ quality: Math.min(100, Math.max(1, whole(value))) })}
      />
      <NumberInput
        label={t('newTask.chunkSize')}
        description={t('newTask.chunkSizeHint')}
        min={1}
        allowDecimal={false}
        value={form.chunkSize ?? ''}
        onChange={(value) => onChange({ chunkSize: value === '' ? null : Math.max(1, whole(value)) })}
      />
    </>
  );
}

function PeopleFields({ form, onChange }: AdvancedSettingsProps) {
  const t = useText();
  const { people, areSeveral } = usePeople();
  const tracker = form.bugTracker.trim();
  return (
    <>
      <TextInput
        label={t('newTask.subset')}
        placeholder={t('newTask.subsetHint')}
        maxLength={64}
        value={form.subset}
        onChange={(value) => onChange({ subset: value })}
      />
      {areSeveral && (
        <AssigneeSelect
          label={t('jobs.assignee')}
          assignee={people.find(({ id }) => id === form.assigneeId) ?? null}
          onChange={(assigneeId) => onChange({ assigneeId })}
        />
      )}
      <TextInput
        label={t('pages.tracker')}
        placeholder="https://"
        maxLength={2000}
        error={tracker === '' || isWebAddress(tracker) ? undefined : t('pages.trackerProblem')}
        value={form.bugTracker}
        onChange={(value) => onChange({ bugTracker: value })}
      />
    </>
  );
}
