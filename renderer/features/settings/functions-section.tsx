import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WorkbenchSettings } from '../../../preload/contract/schema/settings.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { settingsQuery } from '../../api/settings-queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { PathField } from '../../shared/files/file-buttons.tsx';
import { formatBytes } from '../../shared/format-text.ts';
import { Alert, Button, Group, NumberInput, SmallButton, Stack, Switch } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts } from '../../ui/panel.tsx';
import { SectionHead } from '../../ui/section-head.tsx';
import { SettingRow } from './setting-row.tsx';

export function FunctionsSection() {
  const t = useText();
  const settings = useQuery({ ...settingsQuery(), refetchOnMount: 'always' });
  return (
    <Stack gap={24}>
      <section>
        <SectionHead title={t('functionSettings.title')}>
          {t('functionSettings.text')} <Link to="/models">{t('functionSettings.toModels')}</Link>
        </SectionHead>
        <Stack gap={16} maw={640}>
          <Engine />
          <Loaded query={settings}>{(now) => <EngineHost key={now.docker_host} settings={now} />}</Loaded>
          <Loaded query={settings}>{(now) => <DashboardSwitch settings={now} />}</Loaded>
        </Stack>
      </section>
      <section>
        <SectionHead title={t('functionSettings.budget')}>{t('functionSettings.budgetText')}</SectionHead>
        <Loaded query={settings}>{(now) => <Budget settings={now} />}</Loaded>
      </section>
    </Stack>
  );
}

function Engine() {
  const t = useText();
  const query = useQuery({ ...modelQueries.engine(), refetchOnMount: 'always' });
  return (
    <Loaded query={query}>
      {({ state, message, socket, version, cpu_cores: cores, memory_bytes: memory, gpus: cards }) =>
        state === 'connected' ? (
          <Facts
            width={140}
            facts={[
              [t('functionSettings.engine'), `Docker ${version ?? ''}`],
              [t('modelEngine.socket'), socket],
              [t('functionSettings.cores'), cores],
              [t('functionSettings.memory'), memory === null ? null : formatBytes(memory)],
              [
                t('functionSettings.cards'),
                cards.length === 0 ? t('functionSettings.noCards') : cards.map(({ name }) => name).join(', '),
              ],
            ]}
          />
        ) : (
          <Alert variant="default" title={t(`modelEngine.title.${state}`)}>
            {message}
          </Alert>
        )
      }
    </Loaded>
  );
}

/** An Engine other than that of `docker`. */
function EngineHost({ settings: { docker_host: known } }: { readonly settings: WorkbenchSettings }) {
  const t = useText();
  const client = useQueryClient();
  const [host, setHost] = useState(known ?? '');
  const change = useChange(
    (wanted: string) => call('changeSettings', { body: { docker_host: wanted === '' ? null : wanted } }),
    {
      keeps: settingsQuery().queryKey,
      done: async () => {
        await client.invalidateQueries(modelQueries.engine());
      },
    },
  );
  const { of, rest } = fieldErrors(change.error, ['docker_host']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(host.trim());
      }}
    >
      <Stack gap={12}>
        <PathField
          kind="file"
          browse={t('backup.browse')}
          label={t('functionSettings.host')}
          description={t('functionSettings.hostHint')}
          placeholder="unix:///run/user/1000/docker.sock"
          value={host}
          onChange={setHost}
          error={of.docker_host}
        />
        {rest !== '' && <Alert color="red">{rest}</Alert>}
        <Group gap={8}>
          <Button type="submit" size="xs" loading={change.isPending} disabled={host.trim() === (known ?? '')}>
            {t('functionSettings.saveHost')}
          </Button>
          {known !== null && (
            <SmallButton onClick={() => change.mutate('')}>{t('functionSettings.usualHost')}</SmallButton>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function DashboardSwitch({ settings }: { readonly settings: WorkbenchSettings }) {
  const t = useText();
  const change = useChange((allowed: boolean) => call('changeSettings', { body: { dashboard_own_servers: allowed } }), {
    keeps: settingsQuery().queryKey,
    failed: t('functionSettings.notChanged'),
  });
  return (
    <Switch
      label={t('functionSettings.ownServers')}
      description={t('functionSettings.ownServersHint')}
      checked={settings.dashboard_own_servers}
      disabled={change.isPending}
      onChange={(isOn) => change.mutate(isOn)}
    />
  );
}

type Limit = 'function_cpu_cores' | 'function_memory_mib' | 'function_gpu_memory_mib';
const limits = [
  { name: 'function_cpu_cores', words: 'cpu', least: 0.5, step: 0.5 },
  { name: 'function_memory_mib', words: 'ram', least: 64, step: 1024 },
  { name: 'function_gpu_memory_mib', words: 'card', least: 64, step: 1024 },
] as const satisfies readonly { readonly name: Limit; readonly words: string; least: number; step: number }[];

function Budget({ settings }: { readonly settings: WorkbenchSettings }) {
  const t = useText();
  const change = useChange((body: Partial<Record<Limit, number | null>>) => call('changeSettings', { body }), {
    keeps: settingsQuery().queryKey,
    failed: t('functionSettings.failed'),
  });
  return limits.map(({ name, words, least, step }) => (
    <SettingRow
      key={name}
      name={t(`functionSettings.limits.${words}.name`)}
      hint={t(`functionSettings.limits.${words}.hint`)}
    >
      <NumberInput
        // Remounts the field after an external change (a file, a reset).
        key={settings[name]}
        w={160}
        aria-label={t(`functionSettings.limits.${words}.name`)}
        placeholder={t('functionSettings.noLimit')}
        min={least}
        step={step}
        allowDecimal={name === 'function_cpu_cores'}
        decimalScale={1}
        allowNegative={false}
        suffix={name === 'function_cpu_cores' ? '' : ' MiB'}
        defaultValue={settings[name] ?? ''}
        onBlur={(event) => {
          const typed = Number.parseFloat(event.currentTarget.value);
          const value = Number.isNaN(typed) ? null : Math.max(least, typed);
          if (value !== settings[name]) change.mutate({ [name]: value });
        }}
      />
    </SettingRow>
  ));
}
