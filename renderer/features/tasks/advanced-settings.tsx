import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useText } from '../../i18n/index.ts';
import { Button, NumberInput, Select, SimpleGrid, TextInput, useDisclosure } from '../../ui/kit.ts';
import { sortingMethods, type NewTaskForm } from './new-task-form.ts';

interface AdvancedSettingsProps {
  readonly form: NewTaskForm;
  readonly onChange: (change: Partial<NewTaskForm>) => void;
}

const whole = (value: string | number): number => Math.max(0, Math.round(Number(value) || 0));

/** Order, jobs, quality and subset of a new task. */
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
        <SimpleGrid cols={2} mt={8} spacing="md">
          <Select
            label={t('newTask.sorting')}
            allowDeselect={false}
            data={sortingMethods.map((value) => ({ value, label: t(`newTask.sortingMethods.${value}`) }))}
            value={form.sorting}
            onChange={(value) => value !== null && onChange({ sorting: value as NewTaskForm['sorting'] })}
          />
          <TextInput
            label={t('newTask.subset')}
            placeholder={t('newTask.subsetHint')}
            maxLength={64}
            value={form.subset}
            onChange={(event) => onChange({ subset: event.currentTarget.value })}
          />
          <NumberInput
            label={t('newTask.segmentSize')}
            description={t('newTask.segmentSizeHint')}
            min={0}
            allowDecimal={false}
            value={form.segmentSize}
            onChange={(value) => onChange({ segmentSize: whole(value) })}
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
            label={t('newTask.overlap')}
            min={0}
            allowDecimal={false}
            disabled={form.segmentSize === 0}
            value={form.overlap}
            onChange={(value) => onChange({ overlap: whole(value) })}
          />
        </SimpleGrid>
      )}
    </div>
  );
}
