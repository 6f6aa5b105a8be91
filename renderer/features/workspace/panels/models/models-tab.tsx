import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, type MouseEvent } from 'react';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { messageOf } from '../../../../api/api-error.ts';
import { call } from '../../../../api/client.ts';
import { modelQueries } from '../../../../api/model-queries.ts';
import { useText } from '../../../../i18n/index.ts';
import { Anchor, Select, Stack, Text } from '../../../../ui/kit.ts';
import { PageLoader, Problem } from '../../../../ui/page.tsx';
import { focusPicture } from '../../commands/focus.ts';
import { useSession } from '../session-context.ts';
import { DetectorForm } from './detector-form.tsx';
import { InteractorForm } from './interactor-form.tsx';
import classes from './models.module.css';
import { SuggestionList } from './suggestion-list.tsx';
import { TrackerForm } from './tracker-form.tsx';
import { useModels } from './use-models.ts';

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
          <Problem
            title={t('assist.listFailed')}
            message={messageOf(functions.error)}
            retry={{ label: t('common.retry'), run: () => void functions.refetch() }}
          />
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
