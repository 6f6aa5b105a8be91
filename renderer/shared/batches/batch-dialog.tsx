import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LambdaFunction } from '../../../preload/contract/schema/functions.ts';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { FormError } from '../../ui/form.tsx';
import {
  Anchor,
  Button,
  Checkbox,
  Group,
  Hint,
  Modal,
  NumberInput,
  PartName,
  QuietButton,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  ChoiceField,
} from '../../ui/kit.ts';
import { ShareSlider } from '../../ui/share-slider.tsx';
import { notify } from '../../ui/notify.ts';
import { PhrasesField } from '../models/phrases-field.tsx';
import {
  completeChoice,
  fillsObjects,
  mappedCount,
  mappingBody,
  phraseMapping,
  withOwnLabels,
} from '../models/model-labels.ts';
import { FillingField } from '../models/filling-field.tsx';
import { MappingTable } from '../models/mapping-table.tsx';
import {
  initial,
  numberOf,
  resultKinds,
  type BatchTarget,
  type Chosen,
  type PartProps,
  FrameRange,
  FramesByContent,
  PhraseLabelFields,
  WhereField,
} from './batch-fields.tsx';

const orNull = (labels: readonly string[]): string[] | null => (labels.length === 0 ? null : [...labels]);
const percent = (value: number): string => formatNumber(value, { style: 'percent' });
function Threshold({ chosen: { threshold }, onChange }: PartProps) {
  const t = useText();
  return (
    <Stack gap={6}>
      <Group justify="space-between" fz="sm">
        <PartName>{t('batches.threshold')}</PartName>
        <span>{threshold === 0 ? t('assist.thresholdOwn') : percent(threshold)}</span>
      </Group>
      <ShareSlider
        name={t('batches.threshold')}
        value={threshold}
        onChange={(value) => onChange({ threshold: value })}
      />
    </Stack>
  );
}

function Results({
  chosen,
  kinds,
  onChange,
  modelName,
}: PartProps & { readonly kinds: readonly Chosen['results'][]; readonly modelName: string }) {
  const t = useText();
  const { results, name, priority } = chosen;
  return (
    <>
      <Stack gap={4}>
        <PartName>{t('batches.results')}</PartName>
        <SegmentedControl
          aria-label={t('batches.results')}
          data={kinds.map((value) => ({ value, label: t(`batches.resultKinds.${value}`) }))}
          value={results}
          onChange={(value) => onChange({ results: value })}
        />
        <Hint>{t(`batches.resultHints.${results}`)}</Hint>
      </Stack>
      {results !== 'annotations' && (
        <TextInput
          label={t(results === 'suggestions' ? 'batches.suggestionsName' : 'batches.name')}
          placeholder={modelName}
          maxLength={256}
          value={name}
          onChange={(value) => onChange({ name: value })}
        />
      )}
      <NumberInput
        label={t('batches.priority')}
        description={t('batches.priorityHint')}
        w={200}
        min={-100}
        max={100}
        allowDecimal={false}
        value={priority}
        onChange={(value) => onChange({ priority: numberOf(value) ?? 0 })}
      />
    </>
  );
}

function Actions({
  isBusy,
  onStart,
  onClose,
}: {
  readonly isBusy: boolean;
  /** Null while the input is incomplete. */
  readonly onStart: (() => void) | null;
  readonly onClose: () => void;
}) {
  const t = useText();
  return (
    <Group justify="flex-end" gap="sm">
      <QuietButton onClick={onClose}>{t('common.cancel')}</QuietButton>
      <Button loading={isBusy} disabled={onStart === null} onClick={() => onStart?.()}>
        {t('batches.start')}
      </Button>
    </Group>
  );
}

const rangeOf = ({ first, last }: Pick<Chosen, 'first' | 'last'>) => ({
  ...(first === null ? {} : { first }),
  ...(last === null ? {} : { last }),
});

function bodyOf({ kind, id, filter = '' }: BatchTarget, range: { readonly first?: number; readonly last?: number }) {
  switch (kind) {
    case 'tasks':
      return { tasks: filter };
    case 'jobs':
      return { jobs: filter };
    case 'project':
      return { project: id };
    case 'task':
      return { task: id, ...range };
    case 'job':
      return { job: id, ...range };
  }
}

function jobsOf(target: BatchTarget | null) {
  const id = String(target?.id ?? 0);
  switch (target?.kind) {
    case 'project':
      return { project_id: id };
    case 'job':
      return { id };
    default:
      return { task_id: id };
  }
}

/** Phrases that models looked for last in the target's project or task. */
function useKeptPhrases(target: BatchTarget | null): readonly string[] {
  const isOne = target !== null && target.filter === undefined;
  return useQuery({ ...queries.keptPhrases(jobsOf(target)), enabled: isOne }).data ?? [];
}

/** A detector run over the target's frames: function, threshold, labels, handling of results. */
function BatchForm({
  target,
  detectors,
  onClose,
}: {
  readonly target: BatchTarget | null;
  readonly detectors: readonly LambdaFunction[];
  readonly onClose: () => void;
}) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [own, setChosen] = useState<Chosen>(initial);
  const change = (part: Partial<Chosen>): void => setChosen((now) => ({ ...now, ...part }));
  const kept = useKeptPhrases(target);
  const chosen = { ...own, phrases: own.phrases ?? kept };
  const found = detectors.find(({ id }) => id === chosen.model) ?? detectors[0];
  const of = target?.kind === 'project' ? { project_id: target.id } : { task_id: target?.taskId ?? target?.id ?? 0 };
  const isByFilter = target?.filter !== undefined;
  const labels = useQuery({ ...queries.labels(of), enabled: target !== null && !isByFilter }).data;
  const model = found && withOwnLabels(found, chosen, labels ?? []);
  const isOfObjects = found !== undefined && fillsObjects(found, chosen, labels ?? []);
  const results = isOfObjects ? 'suggestions' : chosen.results;
  const choice =
    model === undefined || labels === undefined ? {} : completeChoice(model.labels_v2, labels, chosen.labels);
  const mappingFor = ({ labels_v2: own, takes_phrases: takesPhrases }: LambdaFunction) => {
    if (!isByFilter) return mappingBody(own, labels ?? [], choice);
    // Several tasks with separate labels are matched by name.
    return takesPhrases === true ? phraseMapping(chosen.phrases, chosen.phraseLabels) : null;
  };
  const start = useMutation({
    mutationFn: async (work: { readonly target: BatchTarget; readonly model: LambdaFunction }) => {
      const { frames } = chosen;
      const name = chosen.name.trim();
      return call('createBatch', {
        body: {
          function: work.model.id,
          targets: [bodyOf(work.target, rangeOf(chosen))],
          only_empty: frames === 'empty',
          only_annotated: frames === 'annotated',
          with_labels: frames === 'empty' ? null : orNull(chosen.withLabels),
          without_labels: frames === 'empty' ? null : orNull(chosen.withoutLabels),
          threshold: chosen.threshold === 0 ? null : chosen.threshold,
          mapping: mappingFor(work.model),
          masks_to_polygons: chosen.masksToPolygons,
          results,
          fill: isOfObjects ? 'objects' : 'frame',
          priority: chosen.priority,
          ...(name === '' ? {} : { name }),
        },
      });
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['batches'] });
      notify.success(t('batches.started'));
      await navigate({ to: '/models/batches' });
      onClose();
    },
  });
  if (model === undefined) return null;
  const hasMasks = model.labels_v2.some(({ type }) => type === 'mask' || type === 'any');
  const takesPhrases = model.takes_phrases === true;
  const isMapped = isByFilter
    ? !takesPhrases || chosen.phrases.length > 0
    : labels !== undefined && mappedCount(choice) > 0;
  const isReady = target !== null && isMapped;
  return (
    <Stack gap="sm">
      <ChoiceField
        label={t('batches.model')}
        data={detectors.map(({ id, name }) => ({ value: id, label: name }))}
        value={model.id}
        searchable={detectors.length > 8}
        onChange={(id) => change({ model: id, labels: {} })}
      />
      {target?.frames !== undefined && <FrameRange chosen={chosen} onChange={change} frames={target.frames} />}
      <FramesByContent chosen={chosen} onChange={change} labels={(labels ?? []).map((label) => label.name)} />
      {model.fills_attributes !== true && <Threshold chosen={chosen} onChange={change} />}
      {model.fills_attributes === true && (
        <FillingField
          value={isOfObjects ? 'objects' : 'frame'}
          onChange={(fill) =>
            change({ fill, labels: {}, ...(fill === 'objects' ? { frames: 'annotated' as const } : {}) })
          }
        />
      )}
      {takesPhrases && <PhrasesField phrases={chosen.phrases} onChange={(phrases) => change({ phrases })} />}
      {isByFilter && takesPhrases && <PhraseLabelFields chosen={chosen} onChange={change} />}
      {isByFilter && !takesPhrases && <Hint>{t('batches.labelsByName')}</Hint>}
      {labels !== undefined && (
        <MappingTable
          key={`${model.id} ${isOfObjects} ${target?.kind} ${target?.id}`}
          model={model}
          labels={labels}
          choice={choice}
          onChange={(next) => change({ labels: next })}
        />
      )}
      {hasMasks && (
        <Checkbox
          label={t('batches.masksToPolygons')}
          checked={chosen.masksToPolygons}
          onChange={(isOn) => change({ masksToPolygons: isOn })}
        />
      )}
      <Results
        chosen={{ ...chosen, results }}
        kinds={isOfObjects ? ['suggestions'] : resultKinds}
        onChange={change}
        modelName={model.name}
      />
      <FormError text={start.error?.message} />
      <Actions
        isBusy={start.isPending}
        onStart={isReady ? () => start.mutate({ target, model }) : null}
        onClose={onClose}
      />
    </Stack>
  );
}

/** Starts a batch for the given target or one that the user chooses. */
export function BatchDialog({ target, onClose }: { readonly target?: BatchTarget; readonly onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const [picked, setPicked] = useState<BatchTarget | null>(null);
  const functions = useQuery(queries.labelModels());
  const detectors = (functions.data ?? []).filter(({ kind }) => kind === 'detector');
  const title = target === undefined ? t('batches.dialogTitleAny') : t('batches.dialogTitle', { name: target.name });
  return (
    <Modal opened title={title} onClose={onClose}>
      <FormError text={functions.error?.message} />
      {functions.data !== undefined && detectors.length === 0 && (
        <Text fz="sm">
          {t('batches.noDetector')}{' '}
          <Anchor component="button" type="button" fz="sm" onClick={() => void navigate({ to: '/models' })}>
            {t('batches.toModels')}
          </Anchor>
        </Text>
      )}
      {detectors.length > 0 && (
        <Stack gap="sm">
          {target === undefined && <WhereField onChange={setPicked} />}
          <BatchForm target={target ?? picked} detectors={detectors} onClose={onClose} />
        </Stack>
      )}
    </Modal>
  );
}
