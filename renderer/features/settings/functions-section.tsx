import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WorkbenchSettings } from '../../../preload/contract/schema/settings.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { settingsQuery } from '../../api/settings-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatBytes } from '../../parts/format-text.ts';
import { Alert, NumberInput, Stack } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { Facts } from '../../ui/panel.tsx';
import { SectionHead } from '../../ui/section-head.tsx';
import { SettingRow } from './setting-row.tsx';

/** The Engine that runs functions, and what they may have of this computer. */
export function FunctionsSection() {
  const t = useText();
  const settings = useQuery({ ...settingsQuery(), refetchOnMount: 'always' });
  return (
    <Stack gap={24}>
      <section>
        <SectionHead title={t('functionSettings.title')}>
          {t('functionSettings.text')} <Link to="/models">{t('functionSettings.toModels')}</Link>
        </SectionHead>
        <Engine />
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
      {({ state, message, socket, version, cpu_cores: cores, memory_bytes: memory, cards }) =>
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

type Limit = 'function_cpu_cores' | 'function_memory_mib' | 'function_card_mib';
const limits = [
  { name: 'function_cpu_cores', words: 'cpu', least: 0.5, step: 0.5 },
  { name: 'function_memory_mib', words: 'ram', least: 64, step: 1024 },
  { name: 'function_card_mib', words: 'card', least: 64, step: 1024 },
] as const satisfies readonly { readonly name: Limit; readonly words: string; least: number; step: number }[];

function Budget({ settings }: { readonly settings: WorkbenchSettings }) {
  const t = useText();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Partial<Record<Limit, number | null>>) => call('changeSettings', { body }),
    onSuccess: (state) => client.setQueryData(settingsQuery().queryKey, state),
    onError: (error) => notify.failure(t('functionSettings.failed'), messageOf(error)),
  });
  return limits.map(({ name, words, least, step }) => (
    <SettingRow
      key={name}
      name={t(`functionSettings.limits.${words}.name`)}
      hint={t(`functionSettings.limits.${words}.hint`)}
    >
      <NumberInput
        // Another value from elsewhere (a file, a reset) is a new field.
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
