import { useQuery } from '@tanstack/react-query';
import type { LambdaFunction, LambdaLabel } from '../../../../../preload/contract/schema/functions.ts';
import { queries } from '../../../../api/queries.ts';
import { useText } from '../../../../i18n/index.ts';
import { ask } from '../../../../ui/confirm.tsx';
import { Button, Checkbox, Group, Progress, SegmentedControl, Text } from '../../../../ui/kit.ts';
import { ShareSlider } from '../../../../ui/share-slider.tsx';
import { focusPicture, keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { detectorOptions } from '../../model/models/detection.ts';
import { PhrasesField } from '../../../../shared/models/phrases-field.tsx';
import { fillsObjects, mappedCount, withOwnLabels } from '../../../../shared/models/model-labels.ts';
import { FillingField } from '../../../../shared/models/filling-field.tsx';
import { MappingTable, WaitingPlace } from '../../../../shared/models/mapping-table.tsx';
import type { DetectorOptions, DetectorTarget } from '../../model/models/model-state.ts';
import type { AttributeWrite } from '../../model/labels/label-service.ts';
import classes from './models.module.css';
import { useModels } from './use-models.ts';

/** Values of models may differ between the frames of a track. */
const newAttribute = ({ name, input_type, values }: LambdaLabel['attributes'][number]): AttributeWrite => ({
  name,
  input_type,
  values,
  mutable: true,
  default_value: input_type === 'text' ? '' : (values[0] ?? ''),
});

const percent = (value: number): string => `${Math.round(value * 100)} %`;

function useOptions(model: LambdaFunction): [DetectorOptions, (change: Partial<DetectorOptions>) => void] {
  const { models } = useSession();
  const { state } = models;
  const labels = useAnnotate((now) => now.labels);
  // Subscribes to the options of all detectors, and to phrases that are loaded later.
  useModels((now) => now.detectors);
  useModels((now) => now.keptPhrases);
  const options = detectorOptions(state.getState(), model, labels);
  const change = (part: Partial<DetectorOptions>): void =>
    state.setState((now) => ({ detectors: { ...now.detectors, [model.id]: { ...options, ...part } } }));
  return [options, change];
}

const Target = () => {
  const t = useText();
  const { job, models } = useSession();
  const target = useModels((state) => state.target);
  const jobs = useQuery({ ...queries.jobs(job.task_id), staleTime: 60_000 });
  const isOnly = (jobs.data?.count ?? 1) <= 1;
  const targets: readonly DetectorTarget[] = isOnly ? ['frame', 'task'] : ['frame', 'job', 'task'];
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={t('assist.target')}
      data={targets.map((value) => ({ value, label: t(`assist.on.${value}`) }))}
      value={target}
      onChange={(value) => models.state.setState({ target: value })}
    />
  );
};

const RunProgress = () => {
  const t = useText();
  const { taskRun } = useSession().models;
  const run = useModels((state) => state.run);
  if (run.phase !== 'running' && run.phase !== 'starting') return null;
  const progress = run.phase === 'running' ? run.progress : 0;
  return (
    <div data-testid="task-run">
      <Group justify="space-between" gap={8} mb={6} wrap="nowrap">
        <Text fz="sm" truncate>
          {run.phase === 'running' && run.text !== '' ? run.text : t('assist.starting')}
        </Text>
        <Text fz="sm" className={classes.value ?? ''} data-testid="task-run-progress">
          {percent(progress)}
        </Text>
      </Group>
      <Progress value={progress * 100} size="sm" aria-label={t('assist.runProgress')} />
      <Button
        mt={8}
        size="xs"
        variant="default"
        disabled={run.phase === 'starting'}
        onClick={() => void taskRun.cancel()}
      >
        {t('common.cancel')}
      </Button>
    </div>
  );
};

const Waiting = ({ model }: { readonly model: LambdaFunction }) => {
  const detecting = useModels((state) => state.detecting);
  const phase = useModels((state) => state.run.phase);
  return detecting !== null || phase === 'running' ? <WaitingPlace name={model.id} /> : null;
};

const RunEnd = ({ model }: { readonly model: LambdaFunction }) => {
  const t = useText();
  const { taskRun } = useSession().models;
  const run = useModels((state) => state.run);
  if (run.phase !== 'ended') return null;
  return (
    <div data-testid="task-run-end">
      <Text fz="sm" role="status" {...(run.outcome === 'failed' ? { c: 'var(--limner-failure)' } : {})}>
        {run.text}
      </Text>
      {run.canResume && (
        <Button mt={8} size="xs" variant="default" onClick={() => void taskRun.start(model, true)}>
          {t('assist.resume')}
        </Button>
      )}
    </div>
  );
};

const RunButton = ({ model, options }: { readonly model: LambdaFunction; readonly options: DetectorOptions }) => {
  const t = useText();
  const { detection, taskRun } = useSession().models;
  const chosenTarget = useModels((state) => state.target);
  const detecting = useModels((state) => state.detecting);
  const phase = useModels((state) => state.run.phase);
  const labels = useAnnotate((state) => state.labels);
  if (phase === 'running' || phase === 'starting') return <RunProgress />;
  const isOfObjects = fillsObjects(model, options, labels);
  const target = isOfObjects ? 'frame' : chosenTarget;
  const words = t(isOfObjects ? 'assist.run.objects' : `assist.run.${target}`);
  if (detecting !== null) {
    return (
      <Group gap={8} wrap="nowrap">
        <Button size="xs" flex={1} loading>
          {words}
        </Button>
        <Button size="xs" variant="default" onClick={detection.cancel}>
          {t('common.cancel')}
        </Button>
      </Group>
    );
  }
  const start = async (): Promise<void> => {
    if (target === 'frame') return detection.run(model);
    const question = {
      title: t('assist.replaceTitle'),
      text: t(target === 'job' ? 'assist.replaceJob' : 'assist.replaceTask'),
      confirm: t('assist.replaceConfirm'),
      cancel: t('common.cancel'),
    };
    if (!options.cleanup || (await ask(question))) await taskRun.start(model);
  };
  return (
    <Button
      size="xs"
      disabled={mappedCount(options.choice) === 0}
      onClick={() => {
        // Enter then accepts proposals instead of starting another run.
        focusPicture();
        void start();
      }}
      data-testid="detector-run"
    >
      {words}
    </Button>
  );
};

export function DetectorForm({ model }: { readonly model: LambdaFunction }) {
  const t = useText();
  const [options, change] = useOptions(model);
  const { drawing, addAttribute } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const target = useModels((state) => state.target);
  const hasMasks = model.labels_v2.some(({ type }) => type === 'mask' || type === 'any');
  const none = options.threshold === 0;
  const isOfObjects = fillsObjects(model, options, labels);
  return (
    <>
      {!isOfObjects && <Target />}
      {model.fills_attributes === true && (
        <FillingField value={isOfObjects ? 'objects' : 'frame'} onChange={(fill) => change({ fill, choice: {} })} />
      )}
      {model.fills_attributes !== true && (
        <div className={classes.setting}>
          <span>{t('assist.threshold')}</span>
          <ShareSlider
            name={t('assist.threshold')}
            value={options.threshold}
            onChange={(threshold) => change({ threshold })}
          />
          <span className={classes.value}>{none ? t('assist.thresholdOwn') : percent(options.threshold)}</span>
        </div>
      )}
      {model.takes_phrases === true && (
        <PhrasesField phrases={options.phrases} onChange={(phrases) => change({ phrases })} />
      )}
      <MappingTable
        model={withOwnLabels(model, options, labels)}
        labels={labels}
        choice={options.choice}
        onChange={(choice) => change({ choice })}
        onMake={async ({ name, attributes }) =>
          (await drawing.labelNamed(name, attributes.map(newAttribute)))?.id ?? null
        }
        onMakeAttribute={(label, attribute) => void addAttribute(label.id, newAttribute(attribute))}
      />
      {hasMasks && (
        <Checkbox
          size="xs"
          label={t('assist.masksToPolygons')}
          checked={options.masksToPolygons}
          onChange={(isOn) => change({ masksToPolygons: isOn })}
        />
      )}
      {target !== 'frame' && !isOfObjects && (
        <Checkbox
          size="xs"
          label={t('assist.cleanup')}
          checked={options.cleanup}
          onChange={(isOn) => change({ cleanup: isOn })}
        />
      )}
      <div style={{ display: 'grid' }} onMouseDown={keepFocus}>
        <RunButton model={model} options={options} />
      </div>
      <Waiting model={model} />
      <RunEnd model={model} />
    </>
  );
}
