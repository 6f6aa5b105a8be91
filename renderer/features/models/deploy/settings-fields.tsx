import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import {
  Button,
  Checkbox,
  Dimmed,
  Group,
  NumberInput,
  PartName,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '../../../ui/kit.ts';
import type { DraftProps } from './deploy-draft.ts';

type NumberInputProps = Omit<ComponentProps<typeof NumberInput>, 'value' | 'onChange'>;

export function SettingsFields(props: DraftProps) {
  const { draft, onChange, errors } = props;
  const t = useText();
  const text = (key: 'name' | 'project' | 'cpu' | 'memory', placeholder = '') => (
    <TextInput
      label={t(`modelDeploy.${key}`)}
      placeholder={placeholder}
      spellCheck={false}
      value={draft[key]}
      onChange={(value) => onChange({ [key]: value })}
      error={errors[key]}
    />
  );
  const number = (key: 'workers' | 'idleStopSeconds' | 'gpus' | 'gpuMemoryMiB', field: NumberInputProps) => (
    <NumberInput
      allowDecimal={false}
      value={draft[key]}
      onChange={(value) => onChange({ [key]: typeof value === 'number' ? value : '' })}
      {...field}
    />
  );
  return (
    <Stack gap="md">
      <Dimmed>{t('modelDeploy.settingsHint')}</Dimmed>
      <SimpleGrid cols={2} spacing="md" verticalSpacing="md">
        <EngineField {...props} />
        {text('name')}
        {text('project')}
        {number('workers', {
          label: t('modelDeploy.workers'),
          description: t('modelDeploy.workersHint'),
          min: 1,
          max: 1000,
          error: errors['workers'],
        })}
        {number('idleStopSeconds', {
          label: t('modelDeploy.idle'),
          description: t('modelDeploy.idleHint'),
          min: 0,
          error: errors['idle_stop_seconds'],
        })}
        {text('cpu', t('modelDeploy.cpuPlaceholder'))}
        {text('memory', t('modelDeploy.memoryPlaceholder'))}
        {number('gpus', {
          label: t('modelDeploy.gpus'),
          min: 0,
          max: 64,
          error: errors['resource_limits'] ?? errors['gpu'],
        })}
        {number('gpuMemoryMiB', {
          label: t('modelDeploy.gpuMemory'),
          description: t('modelDeploy.gpuMemoryHint'),
          min: 1,
          error: errors['gpu_memory_mib'],
        })}
      </SimpleGrid>
      <EnvRows {...props} />
      <VolumeRows {...props} />
    </Stack>
  );
}

/** Only shown if there is a choice. */
function EngineField({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const engines = useQuery(modelQueries.engines()).data ?? [];
  if (engines.length < 2) return null;
  return (
    <Select
      label={t('engines.engine')}
      description={t('engines.engineHint')}
      data={engines.map(({ name, address }) => ({ value: name, label: `${name} (${address})` }))}
      value={draft.engine ?? 'default'}
      onChange={(engine) => onChange({ engine })}
      error={errors['engine']}
    />
  );
}

type Env = DraftProps['draft']['env'][number];
type Volume = DraftProps['draft']['volumes'][number];

interface RowsProps<Entry> {
  readonly title: string;
  readonly addLabel: string;
  readonly error: string | undefined;
  readonly entries: readonly Entry[];
  readonly blank: Entry;
  readonly onChange: (entries: readonly Entry[]) => void;
  readonly renderFields: (entry: Entry, index: number, change: (part: Partial<Entry>) => void) => ReactNode;
}

function Rows<Entry>({ title, addLabel, error, entries, blank, onChange, renderFields }: RowsProps<Entry>) {
  const t = useText();
  return (
    <Stack gap={6} align="stretch" role="group" aria-label={title}>
      <PartName>{title}</PartName>
      {entries.map((entry, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no id while they are typed
        <Group key={index} gap={8} wrap="nowrap">
          {renderFields(entry, index, (part) =>
            onChange(entries.map((one, at) => (at === index ? { ...one, ...part } : one))),
          )}
          <IconButton
            label={t('modelDeploy.remove')}
            icon={<IconX size={16} />}
            onClick={() => onChange(entries.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
      {error !== undefined && (
        <Text fz="xs" c="red">
          {error}
        </Text>
      )}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...entries, blank])}
        >
          {addLabel}
        </Button>
      </Group>
    </Stack>
  );
}

interface FieldProps {
  readonly name: string;
  readonly placeholder?: string;
  readonly flex?: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Field = ({ name, flex = 1, onChange, ...rest }: FieldProps) => (
  <TextInput style={{ flex }} aria-label={name} spellCheck={false} onChange={onChange} {...rest} />
);

function EnvRows({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  return (
    <Rows<Env>
      title={t('modelDeploy.env')}
      addLabel={t('modelDeploy.addEnv')}
      error={errors['env']}
      entries={draft.env}
      blank={{ name: '', value: '' }}
      onChange={(env) => onChange({ env })}
      renderFields={({ name, value }, index, change) => (
        <>
          <Field
            name={t('modelDeploy.envName', { index: index + 1 })}
            placeholder="NAME"
            value={name}
            onChange={(text) => change({ name: text })}
          />
          <Field
            name={t('modelDeploy.envValue', { index: index + 1 })}
            flex={2}
            value={value}
            onChange={(text) => change({ value: text })}
          />
        </>
      )}
    />
  );
}

function VolumeRows({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const nameOf = { source: 'volumeSource', target: 'volumeTarget' } as const;
  const placeholders = { source: '/data/weights', target: '/opt/weights' };
  return (
    <Rows<Volume>
      title={t('modelDeploy.volumes')}
      addLabel={t('modelDeploy.addVolume')}
      error={errors['volumes']}
      entries={draft.volumes}
      blank={{ source: '', target: '', readOnly: true }}
      onChange={(volumes) => onChange({ volumes })}
      renderFields={(volume, index, change) => (
        <>
          {(['source', 'target'] as const).map((side) => (
            <Field
              key={side}
              name={t(`modelDeploy.${nameOf[side]}`, { index: index + 1 })}
              placeholder={placeholders[side]}
              value={volume[side]}
              onChange={(path) => change({ [side]: path })}
            />
          ))}
          <Checkbox
            size="xs"
            label={t('modelDeploy.volumeReadOnly')}
            checked={volume.readOnly}
            onChange={(isOn) => change({ readOnly: isOn })}
          />
        </>
      )}
    />
  );
}
