import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, type MouseEvent, Fragment } from 'react';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { call } from '../../../../api/client.ts';
import { modelQueries } from '../../../../api/model-queries.ts';
import { useText } from '../../../../i18n/index.ts';
import { Anchor, Select, Stack, Text, Button, SegmentedControl, NumberInput, Progress } from '../../../../ui/kit.ts';
import { PageLoader, Problem } from '../../../../ui/page.tsx';
import { focusPicture, keepFocus } from '../../commands/focus.ts';
import { useSession, useAnnotate } from '../session-context.ts';
import { DetectorForm } from './detector-form.tsx';
import classes from './models.module.css';
import { SuggestionList } from './suggestion-list.tsx';
import { useModels } from './use-models.ts';
import { knowsNegative } from '../../model/models/interaction-question.ts';
import { trackable } from '../../model/models/tracking.ts';
import { useRecords, useSelection } from '../scene-hooks.ts';

function TrackerForm({ model }: { readonly model: LambdaFunction }) {
  const t = useText();
  const { engine, job, models } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const frames = useModels((state) => state.trackFrames);
  const tracking = useModels((state) => state.tracking);
  useSelection();
  useRecords();
  const count = trackable(engine, model).length;
  const left = job.stop_frame - frame;
  const types = (model.supported_shape_types ?? ['rectangle'])
    .map((type) => t(`annotate.shape.${type}`).toLowerCase())
    .join(', ');
  if (tracking !== null) {
    return (
      <div data-testid="tracking">
        <Text fz="sm" mb={6}>
          {t('assist.trackingFrame', { done: tracking.done, count: tracking.count })}
        </Text>
        <Progress value={(tracking.done / tracking.count) * 100} size="sm" aria-label={t('assist.runProgress')} />
        <Button mt={8} size="xs" variant="default" onClick={models.tracking.cancel}>
          {t('common.cancel')}
        </Button>
      </div>
    );
  }
  return (
    <>
      <div className={classes.setting}>
        <span>{t('assist.trackFrames')}</span>
        <NumberInput
          size="xs"
          aria-label={t('assist.trackFrames')}
          style={{ gridColumn: 'span 2' }}
          min={1}
          max={1000}
          allowDecimal={false}
          value={frames}
          onChange={(value) => {
            const wanted = Number(value);
            if (Number.isInteger(wanted) && wanted > 0) models.state.setState({ trackFrames: wanted });
          }}
        />
      </div>
      <div style={{ display: 'grid' }} onMouseDown={keepFocus}>
        <Button
          size="xs"
          disabled={count === 0 || left < 1}
          onClick={() => {
            focusPicture();
            void models.tracking.run(model);
          }}
          data-testid="track"
        >
          {t('assist.track', { count: Math.max(1, count) })}
        </Button>
      </div>
      <Text fz="xs" c="dimmed">
        {left < 1 ? t('assist.lastFrame') : count === 0 ? t('assist.selectFirst', { types }) : t('assist.trackPlain')}
      </Text>
    </>
  );
}

const forms = ['polygon', 'mask'] as const;

function InteractorForm({ model }: { readonly model: LambdaFunction }) {
  const t = useText();
  const { engine, models } = useSession();
  const armed = useAnnotate((state) => state.tool === 'prompt');
  const takeAs = useModels((state) => state.takeAs);
  const busy = useModels((state) => state.interacting);
  const needsBox = model.startswith_box === true && model.startswith_box_optional !== true;
  const gestures = [
    ...(needsBox ? [['drag', 'boxFirst'] as const] : []),
    ['click', 'positive'],
    ...(knowsNegative(model) ? [['rightClick', 'negative'] as const] : []),
    ...(needsBox ? [] : [['drag', 'box'] as const]),
    ['again', 'remove'],
  ] as const;
  const toggle = (): void => {
    focusPicture();
    if (armed) engine.setTool('select');
    else models.interaction.arm(model);
  };
  return (
    <>
      {model.help_message !== undefined && model.help_message !== '' && <Text fz="sm">{model.help_message}</Text>}
      <div className={classes.setting}>
        <span>{t('assist.takeAs')}</span>
        <SegmentedControl
          size="xs"
          aria-label={t('assist.takeAs')}
          style={{ gridColumn: 'span 2' }}
          data={forms.map((value) => ({ value, label: t(`annotate.shape.${value}`) }))}
          value={takeAs}
          onChange={(value) => models.state.setState({ takeAs: value })}
        />
      </div>
      <div style={{ display: 'grid' }} onMouseDown={keepFocus}>
        <Button size="xs" variant={armed ? 'default' : 'filled'} loading={busy} onClick={toggle} data-testid="interact">
          {armed ? t('assist.stopPointing') : t('assist.startPointing')}
        </Button>
      </div>
      <dl className={classes.gestures}>
        {gestures.map(([how, what]) => (
          <Fragment key={what}>
            <dt>{t(`assist.gesture.${how}`)}</dt>
            <dd>{t(`assist.gesture.${what}`)}</dd>
          </Fragment>
        ))}
        <dt>Enter</dt>
        <dd>{t('assist.gesture.keep')}</dd>
        <dt>Esc</dt>
        <dd>{t('assist.gesture.drop')}</dd>
      </dl>
    </>
  );
}

const kinds = ['detector', 'interactor', 'tracker'] as const;
/** Sorted by kind with detectors first, because the first function is preselected. */
const usableFunctions = (all: readonly LambdaFunction[]): LambdaFunction[] =>
  kinds.flatMap((kind) => all.filter((one) => one.kind === kind));

const useFunctions = () =>
  useQuery({
    queryKey: ['models', 'lambda'],
    queryFn: ({ signal }) => call('listLambdaFunctions', { signal }),
    refetchOnMount: 'always',
  });

const ModelsLink = ({ words }: { readonly words: string }) => {
  const router = useRouter();
  const go = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    router.history.push('/models');
  };
  return (
    <Anchor href="/models" fz="sm" onClick={go}>
      {words}
    </Anchor>
  );
};

const NoModels = () => {
  const t = useText();
  const engine = useQuery({ ...modelQueries.engine(), retry: false });
  const problem = engine.data !== undefined && engine.data.state !== 'connected' ? engine.data.message : '';
  return (
    <Stack gap={8} p={16} data-testid="no-models">
      <Text fz="sm" fw={600}>
        {t('assist.noneTitle')}
      </Text>
      <Text fz="sm">{t('assist.noneText')}</Text>
      {problem !== '' && (
        <Text fz="sm" c="dimmed">
          {problem} {t('assist.noEngine')}
        </Text>
      )}
      <ModelsLink words={t('assist.toModels')} />
    </Stack>
  );
};

const Note = () => {
  const note = useModels((state) => state.note);
  return (
    <Text
      fz="sm"
      role="status"
      {...(note?.kind === 'failure' ? { c: 'var(--limner-failure)' } : {})}
      data-kind={note?.kind}
      data-testid="model-note"
    >
      {note?.text}
    </Text>
  );
};

const ModelChoice = ({ functions }: { readonly functions: readonly LambdaFunction[] }) => {
  const t = useText();
  const { models } = useSession();
  const chosen = useModels((state) => state.chosen);
  const groups = kinds
    .map((kind) => ({
      group: t(`assist.kind.${kind}`),
      items: functions.filter((one) => one.kind === kind).map(({ id, name }) => ({ value: id, label: name })),
    }))
    .filter(({ items }) => items.length > 0);
  const pick = (id: string | null): void => {
    const model = functions.find((one) => one.id === id);
    if (model !== undefined) models.choose(model);
    // Runs after the combobox has returned the focus to its field.
    setTimeout(focusPicture);
  };
  return (
    <Select
      size="xs"
      label={t('assist.model')}
      data={groups}
      searchable={functions.length > 8}
      allowDeselect={false}
      value={chosen?.id ?? null}
      onChange={pick}
      comboboxProps={{ withinPortal: true }}
    />
  );
};

const Form = ({ model }: { readonly model: LambdaFunction }) => {
  switch (model.kind) {
    case 'detector':
      return <DetectorForm model={model} />;
    case 'interactor':
      return <InteractorForm model={model} />;
    case 'tracker':
      return <TrackerForm model={model} />;
    case 'reid':
      return null;
  }
};

export function ModelsTab() {
  const t = useText();
  const { models } = useSession();
  const functions = useFunctions();
  const chosen = useModels((state) => state.chosen);
  const usable = functions.data === undefined ? undefined : usableFunctions(functions.data);
  const fresh = usable?.find(({ id }) => id === chosen?.id) ?? usable?.[0];
  useEffect(() => {
    // A redeployed function may have other labels.
    if (fresh !== undefined && fresh !== models.state.getState().chosen) models.state.setState({ chosen: fresh });
  }, [fresh, models]);
  return (
    <Stack gap={0} flex={1} mih={0}>
      {functions.isPending && <PageLoader label={t('assist.loading')} />}
      {functions.isError && (
        <Stack p={12}>
          <Problem title={t('assist.listFailed')} message={functions.error} retry={functions.refetch} />
          <ModelsLink words={t('assist.toModels')} />
        </Stack>
      )}
      {usable !== undefined && fresh === undefined && <NoModels />}
      {usable !== undefined && fresh !== undefined && (
        <div className={classes.form}>
          <ModelChoice functions={usable} />
          {chosen !== null && <Form key={chosen.id} model={chosen} />}
          <Note />
        </div>
      )}
      <SuggestionList />
    </Stack>
  );
}
