import { IconRocket } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { call } from '../../../api/client.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Hint, useDebouncedValue } from '../../../ui/kit.ts';
import { useUnsaved } from '../../../shared/use-form.ts';
import { Fold } from '../../../ui/fold.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Page } from '../../../ui/page.tsx';
import { ArchiveField } from './archive-field.tsx';
import { CheckPanel } from './check-panel.tsx';
import type { ConfigurationEditorHandle } from './configuration-editor.tsx';
import { ConfigurationField } from './configuration-field.tsx';
import { checkRequestOf, emptyDraft, hasHandler, isComplete, requestOf, type DeployDraft } from './deploy-draft.ts';
import { deployProblems, type DeployProblems } from './deploy-problems.ts';
import { buildNetworkGrant } from './permission-list.tsx';
import { DeployProgress } from './deploy-progress.tsx';
import { EngineNotice } from '../engine/engine-notice.tsx';
import { linesOf } from './finding.ts';
import { HandlerFields } from './handler-fields.tsx';
import { ImageField } from './image-fields.tsx';
import classes from './new-model-page.module.css';
import { SettingsFields } from './settings-fields.tsx';
import { WayField } from './way-field.tsx';

const typingPauseMs = 350;

export function NewModelPage() {
  const t = useText();
  const [draft, setDraft] = useState(emptyDraft);
  const [running, setRunning] = useState<string | null>(null);
  const change = (part: Partial<DeployDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const client = useQueryClient();
  const deploy = useChange(
    (grants: readonly string[]) => call('deployModel', { body: requestOf({ ...draft, grants }) }),
    {
      done: (model) => {
        client.setQueryData(modelQueries.one(model.name).queryKey, model);
        setRunning(model.name);
      },
    },
  );
  useUnsaved(running === null && draft !== emptyDraft, t('pages.unsavedForm'));
  const crumbs = <Link to="/models">{t('models.title')}</Link>;
  if (running !== null) {
    return (
      <Page title={t('modelDeploy.title')} crumbs={crumbs}>
        <DeployProgress
          name={running}
          onChange={() => setRunning(null)}
          onAnother={() => {
            setDraft(emptyDraft);
            setRunning(null);
          }}
        />
      </Page>
    );
  }
  return (
    <Page title={t('modelDeploy.title')} crumbs={crumbs}>
      <DeployForm
        draft={draft}
        onChange={(part) => {
          deploy.reset();
          change(part);
        }}
        refusal={deploy.error}
        isSending={deploy.isPending}
        onSubmit={(grants) => deploy.mutate(grants)}
      />
    </Page>
  );
}

interface DeployFormProps {
  readonly draft: DeployDraft;
  readonly onChange: (change: Partial<DeployDraft>) => void;
  readonly refusal: unknown;
  readonly isSending: boolean;
  readonly onSubmit: (grants: readonly string[]) => void;
}

/** The service's check of the draft, repeated after each pause in typing. */
function useCheck(draft: DeployDraft) {
  const text = isComplete(draft) ? JSON.stringify(checkRequestOf(draft)) : '';
  const [settled] = useDebouncedValue(text, typingPauseMs);
  const isAsked = settled !== '' && text !== '';
  const request = useMemo(
    // Parses text that was serialized here.
    () => (settled === '' ? {} : (JSON.parse(settled) as ReturnType<typeof checkRequestOf>)),
    [settled],
  );
  const query = useQuery({
    ...modelQueries.check(request),
    placeholderData: keepPreviousData,
    enabled: isAsked,
    retry: false,
  });
  return {
    check: isAsked && !query.isError ? query.data : undefined,
    error: isAsked ? query.error : null,
    isChecking: isAsked && (query.isFetching || settled !== text),
    /** True if the result belongs to the current input. */
    isCurrent: isAsked && settled === text && query.isSuccess && !query.isPlaceholderData,
  };
}

function DeployForm({ draft, onChange, refusal, isSending, onSubmit }: DeployFormProps) {
  const t = useText();
  const editor = useRef<ConfigurationEditorHandle>(null);
  const [isOpen, setOpen] = useState(false);
  const engine = useQuery(modelQueries.engine());
  const { check, error, isChecking, isCurrent } = useCheck(draft);
  const problems: DeployProblems = deployProblems(refusal ?? error);
  const missing = check?.permissions.filter(({ id }) => !draft.grants.includes(id)) ?? [];
  const isReady = isCurrent && missing.length === 0 && check?.engine_problem === null && check.gpu.problem === null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isReady || isSending) return;
    const possible = new Set([buildNetworkGrant, ...(check?.permissions ?? []).map(({ id }) => id)]);
    onSubmit(draft.grants.filter((id) => possible.has(id)));
  };
  const props = { draft, onChange, errors: problems.ofField };
  const badLines = draft.configuration === null ? [] : linesOf(problems.configuration);
  const obstacle = check?.engine_problem
    ? t('modelDeploy.notYetEngine')
    : missing.length > 0
      ? t('modelDeploy.notYetPermitted')
      : '';
  return (
    <form
      onSubmit={submit}
      // Also in the editor, where Enter alone begins a line.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
      className={classes.wizard}
    >
      <div className={classes.steps}>
        {engine.data !== undefined && engine.data.state !== 'connected' && (
          <EngineNotice
            engine={engine.data}
            isLooking={engine.isFetching}
            onLook={() => void engine.refetch()}
            isCompact
          />
        )}
        <Step number={1} title={t('modelDeploy.stepWay')}>
          <WayField
            value={draft.way}
            onChange={(way) => {
              const hadHandler = hasHandler(draft);
              const needsText = !hasHandler({ way }) && draft.configuration === null;
              const canRead = hasHandler({ way }) && !hadHandler && draft.configuration === '';
              onChange({ way, ...(needsText ? { configuration: '' } : canRead ? { configuration: null } : {}) });
            }}
          />
        </Step>
        <Step number={2} title={t(`modelDeploy.stepSource.${draft.way}`)}>
          {hasHandler(draft) && <HandlerFields {...props} />}
          {draft.way === 'image' && <ImageField {...props} />}
          {draft.way === 'archive' && <ArchiveField {...props} />}
        </Step>
        <Step number={3} title={t('modelDeploy.stepConfiguration')}>
          <ConfigurationField {...props} badLines={badLines} editor={editor} />
        </Step>
        <Step
          number={4}
          title={
            <Fold isOpen={isOpen} onChange={setOpen}>
              {t('modelDeploy.stepSettings')}
            </Fold>
          }
        >
          {isOpen && <SettingsFields {...props} />}
        </Step>
      </div>
      <CheckPanel
        check={check}
        problems={problems.all}
        isChecking={isChecking}
        grants={draft.grants}
        onGrants={(grants) => onChange({ grants })}
        onLine={draft.configuration === null ? undefined : (line) => editor.current?.goTo(line)}
        footer={
          <>
            <Button
              type="submit"
              fullWidth
              leftSection={<IconRocket size={16} stroke={1.5} />}
              loading={isSending}
              disabled={!isReady}
              title={t('modelDeploy.submitKeys')}
              aria-keyshortcuts="Control+Enter"
            >
              {t(check?.exists ? 'modelDeploy.submitReplace' : 'modelDeploy.submit')}
            </Button>
            {obstacle !== '' && (
              <Hint mt={6} role="status">
                {obstacle}
              </Hint>
            )}
          </>
        }
      />
    </form>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

const Step = ({ number, title, children }: StepProps) => (
  <Panel
    title={
      <>
        <span className={classes.number}>{number}</span>
        {title}
      </>
    }
  >
    {children}
  </Panel>
);
