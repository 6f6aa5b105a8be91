import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate } from '../../shared/format-text.ts';
import { FormError } from '../../ui/form.tsx';
import { Badge, Button, Group, Hint, Mono, NumberInput, Stack, Text } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { Facts, Panel } from '../../ui/panel.tsx';
import { FindingList } from './deploy/finding-list.tsx';
import { kindText, memoryText } from './function/model-text.ts';
import { useEvidenceText } from './model-files/evidence-text.ts';
import classes from './configuration-tab.module.css';

const wayKeys = { image: 'wayImage', handler: 'wayHandler', build: 'wayBuild' } as const;

export function ConfigurationTab({ model }: { readonly model: ModelFunction }) {
  const t = useText();
  const say = useEvidenceText();
  const isHere = model.provider === 'docker';
  const isInLimner = model.provider === 'limner';
  return (
    <div className={classes.sections}>
      <Panel title={t('modelPage.facts')}>
        <Facts
          width={160}
          facts={[
            [t('models.columnType'), kindText(model, t)],
            [t('modelPage.provider'), t(`modelPage.providerText.${model.provider}`)],
            [t('modelPage.address'), model.address],
            [t('modelPage.way'), model.way === null ? null : t(`modelPage.${wayKeys[model.way]}`)],
            [t('engines.engine'), model.engine],
            [t('modelPage.image'), code(model.image)],
            [t('modelPage.directory'), code(model.directory)],
            [t('modelPage.handler'), code(model.handler)],
            [t('modelPage.runtime'), isInLimner ? say(model.runtime ?? '') : code(model.runtime)],
            [t('models.columnNamespace'), model.namespace],
            [t('models.columnProject'), model.project],
            [t('modelPage.created'), formatDate(model.created_date)],
            [t('modelPage.updated'), formatDate(model.updated_date)],
          ]}
        />
      </Panel>
      {model.agents === null && (
        <Panel title={t('modelPage.limits')}>
          <LimitFacts model={model} />
          {isHere && <LimitsForm key={model.updated_date} model={model} />}
        </Panel>
      )}
      <Panel title={t('modelPage.labels')}>
        <Labels model={model} />
      </Panel>
      {isHere && (
        <Panel title={t('modelPage.granted')}>
          {model.grants.length === 0 ? (
            <Text fz="sm">{t('modelPage.grantedNone')}</Text>
          ) : (
            <Group gap={6}>
              {model.grants.map((grant) => (
                <Badge key={grant} variant="default" tt="none" ff="monospace">
                  {grant}
                </Badge>
              ))}
            </Group>
          )}
        </Panel>
      )}
      {model.warnings.length > 0 && (
        <Panel title={t('modelPage.warnings')}>
          <FindingList sentences={model.warnings} />
        </Panel>
      )}
    </div>
  );
}

const code = (text: string | null): ReactNode => (text === null || text === '' ? null : <Mono>{text}</Mono>);

function LimitFacts({ model }: { readonly model: ModelFunction }) {
  const t = useText();
  const { gpu, workers, cpu_cores: cores, memory_bytes: memory, idle_stop_seconds: idle } = model;
  const mib = (value: number | null) => (value === null ? null : t('models.mib', { count: value }));
  const rest = idle === null ? t('modelPage.never') : t('modelPage.seconds', { count: idle });
  const cards = t('models.gpuCount', { count: gpu.count });
  return (
    <Facts
      width={160}
      facts={[
        [t('modelPage.workers'), String(workers)],
        [t('modelPage.cpu'), cores === null ? t('modelPage.noLimit') : String(cores)],
        [t('modelPage.memory'), memory === null ? t('modelPage.noLimit') : memoryText(memory)],
        [t('modelPage.gpus'), gpu.count === 0 ? t('modelPage.none') : [cards, ...gpu.devices].join(' · ')],
        [t('modelPage.gpuDeclared'), mib(gpu.declared_mib)],
        [t('modelPage.gpuMeasured'), mib(gpu.measured_mib)],
        [t('modelPage.idle'), model.provider === 'docker' ? rest : null],
      ]}
    />
  );
}

function LimitsForm({ model }: { readonly model: ModelFunction }) {
  const t = useText();
  const [idle, setIdle] = useState<number | ''>(model.idle_stop_seconds ?? 0);
  const [memory, setMemory] = useState<number | ''>(model.gpu.declared_mib ?? '');
  const params = { name: model.name };
  const save = useChange(
    () =>
      call('updateModel', {
        params,
        body: {
          idle_stop_seconds: idle === '' ? 0 : idle,
          ...(model.gpu.count === 0 ? {} : { gpu_memory_mib: memory === '' ? null : memory }),
        },
      }),
    {
      keeps: modelQueries.one(model.name).queryKey,
      reloads: ['models'],
      done: () => notify.success(t('modelPage.saved')),
    },
  );
  const { of, rest } = fieldErrors(save.error, ['idle_stop_seconds', 'gpu_memory_mib']);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const hasChange = idle !== (model.idle_stop_seconds ?? 0) || memory !== (model.gpu.declared_mib ?? '');
  return (
    <form onSubmit={submit} className={classes.limitsForm} aria-label={t('modelPage.change')}>
      <Stack gap="sm">
        <NumberInput
          label={t('modelPage.idleInput')}
          description={t('modelPage.idleInputHint')}
          min={0}
          allowDecimal={false}
          value={idle}
          onChange={(value) => setIdle(typeof value === 'number' ? value : '')}
          error={of.idle_stop_seconds}
        />
        {model.gpu.count > 0 && (
          <NumberInput
            label={t('modelPage.gpuMemoryInput')}
            description={t('modelPage.gpuMemoryInputHint')}
            min={1}
            allowDecimal={false}
            value={memory}
            onChange={(value) => setMemory(typeof value === 'number' ? value : '')}
            error={of.gpu_memory_mib}
          />
        )}
        <FormError text={rest} />
        <Group>
          <Button type="submit" size="xs" loading={save.isPending} disabled={!hasChange}>
            {t('modelPage.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Labels({ model: { labels } }: { readonly model: ModelFunction }) {
  const t = useText();
  if (labels.length === 0) return <Text fz="sm">{t('modelPage.none')}</Text>;
  return (
    <ul className={classes.labelList}>
      {labels.map(({ name, type, attributes, sublabels = [] }) => {
        const names = [...attributes, ...sublabels].map((one) => one.name).join(', ');
        return (
          <li key={name}>
            <span>{name}</span> <Hint span>{type}</Hint>
            {names !== '' && <Hint span> {t('modelPage.attributes', { names })}</Hint>}
          </li>
        );
      })}
    </ul>
  );
}
