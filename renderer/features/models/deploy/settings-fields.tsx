import { IconPlus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Button, Checkbox, Group, NumberInput, SimpleGrid, Stack, Text, TextInput } from '../../../ui/kit.ts';
import type { DraftProps } from './draft-props.ts';

const numberOr = (value: number | string): number | '' => (typeof value === 'number' ? value : '');

/** What a deployment changes of its configuration. */
export function SettingsFields(props: DraftProps) {
  const { draft, onChange, errors } = props;
  const t = useText();
  const text = (key: 'name' | 'project' | 'cpu' | 'memory', placeholder = '') => (
    <TextInput
      label={t(`modelDeploy.${key}`)}
      placeholder={placeholder}
      spellCheck={false}
      value={draft[key]}
      onChange={(event) => onChange({ [key]: event.currentTarget.value })}
      error={errors[key]}
    />
  );
  return (
    <Stack gap="md">
      <Text fz="sm" c="dimmed">
        {t('modelDeploy.settingsHint')}
      </Text>
      <SimpleGrid cols={2} spacing="md" verticalSpacing="md">
        {text('name')}
        {text('project')}
        <NumberInput
          label={t('modelDeploy.workers')}
          description={t('modelDeploy.workersHint')}
          min={1}
          max={1000}
          allowDecimal={false}
          value={draft.workers}
          onChange={(value) => onChange({ workers: numberOr(value) })}
          error={errors['workers']}
        />
        <NumberInput
          label={t('modelDeploy.idle')}
          description={t('modelDeploy.idleHint')}
          min={0}
          allowDecimal={false}
          value={draft.idleStopSeconds}
          onChange={(value) => onChange({ idleStopSeconds: numberOr(value) })}
          error={errors['idle_stop_seconds']}
        />
        {text('cpu', t('modelDeploy.cpuPlaceholder'))}
        {text('memory', t('modelDeploy.memoryPlaceholder'))}
        <NumberInput
          label={t('modelDeploy.gpus')}
          min={0}
          max={64}
          allowDecimal={false}
          value={draft.gpus}
          onChange={(value) => onChange({ gpus: numberOr(value) })}
          error={errors['resource_limits'] ?? errors['gpu']}
        />
        <NumberInput
          label={t('modelDeploy.gpuMemory')}
          description={t('modelDeploy.gpuMemoryHint')}
          min={1}
          allowDecimal={false}
          value={draft.gpuMemoryMiB}
          onChange={(value) => onChange({ gpuMemoryMiB: numberOr(value) })}
          error={errors['gpu_memory_mib']}
        />
      </SimpleGrid>
      <EnvRows {...props} />
      <VolumeRows {...props} />
    </Stack>
  );
}

interface RowsProps {
  readonly title: string;
  readonly addLabel: string;
  readonly error: string | undefined;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

const Rows = ({ title, addLabel, error, onAdd, children }: RowsProps) => (
  <Stack gap={6} align="stretch" role="group" aria-label={title}>
    <Text fz="sm" fw={500}>
      {title}
    </Text>
    {children}
    {error !== undefined && (
      <Text fz="xs" c="red">
        {error}
      </Text>
    )}
    <Group>
      <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} />} onClick={onAdd}>
        {addLabel}
      </Button>
    </Group>
  </Stack>
);

const replaced = <Entry,>(list: readonly Entry[], at: number, change: Partial<Entry>): Entry[] =>
  list.map((entry, index) => (index === at ? { ...entry, ...change } : entry));

function EnvRows({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const { env } = draft;
  return (
    <Rows
      title={t('modelDeploy.env')}
      addLabel={t('modelDeploy.addEnv')}
      error={errors['env']}
      onAdd={() => onChange({ env: [...env, { name: '', value: '' }] })}
    >
      {env.map(({ name, value }, index) => (
        // Rows have no other identity than their place.
        // oxlint-disable-next-line react/no-array-index-key -- rows have no name of their own while they are typed
        <Group key={index} gap={8} wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            aria-label={t('modelDeploy.envName', { index: index + 1 })}
            placeholder="NAME"
            spellCheck={false}
            value={name}
            onChange={(event) => onChange({ env: replaced(env, index, { name: event.currentTarget.value }) })}
          />
          <TextInput
            style={{ flex: 2 }}
            aria-label={t('modelDeploy.envValue', { index: index + 1 })}
            spellCheck={false}
            value={value}
            onChange={(event) => onChange({ env: replaced(env, index, { value: event.currentTarget.value }) })}
          />
          <IconButton
            label={t('modelDeploy.remove')}
            icon={<IconX size={16} />}
            onClick={() => onChange({ env: env.filter((_, at) => at !== index) })}
          />
        </Group>
      ))}
    </Rows>
  );
}

function VolumeRows({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const { volumes } = draft;
  return (
    <Rows
      title={t('modelDeploy.volumes')}
      addLabel={t('modelDeploy.addVolume')}
      error={errors['volumes']}
      onAdd={() => onChange({ volumes: [...volumes, { source: '', target: '', readOnly: true }] })}
    >
      {volumes.map(({ source, target, readOnly }, index) => (
        // Rows have no other identity than their place.
        // oxlint-disable-next-line react/no-array-index-key -- rows have no name of their own while they are typed
        <Group key={index} gap={8} wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            aria-label={t('modelDeploy.volumeSource', { index: index + 1 })}
            placeholder="/data/weights"
            spellCheck={false}
            value={source}
            onChange={(event) => onChange({ volumes: replaced(volumes, index, { source: event.currentTarget.value }) })}
          />
          <TextInput
            style={{ flex: 1 }}
            aria-label={t('modelDeploy.volumeTarget', { index: index + 1 })}
            placeholder="/opt/weights"
            spellCheck={false}
            value={target}
            onChange={(event) => onChange({ volumes: replaced(volumes, index, { target: event.currentTarget.value }) })}
          />
          <Checkbox
            size="xs"
            label={t('modelDeploy.volumeReadOnly')}
            checked={readOnly}
            onChange={(event) =>
              onChange({ volumes: replaced(volumes, index, { readOnly: event.currentTarget.checked }) })
            }
          />
          <IconButton
            label={t('modelDeploy.remove')}
            icon={<IconX size={16} />}
            onClick={() => onChange({ volumes: volumes.filter((_, at) => at !== index) })}
          />
        </Group>
      ))}
    </Rows>
  );
}
