import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { DataMeta, Job } from '../../../../preload/contract/schema/resources.ts';
import type { Issue } from '../../../../preload/contract/schema/review.ts';
import { reviewQueries } from '../../../api/review-queries.ts';
import { actionText } from '../../../i18n/canvas-text.ts';
import { useText } from '../../../i18n/index.ts';
import { useHelp, useOfferCommands } from '../../../shared/commands.ts';
import { ExportDialog } from '../../../shared/dataset/export-dialog.tsx';
import { ImportDialog } from '../../../shared/dataset/import-dialog.tsx';
import { shortcutText } from '../../../shared/keys/keymap-store.ts';
import { StatisticsDialog } from '../../../shared/statistics/statistics-dialog.tsx';
import { VisuallyHidden } from '../../../ui/kit.ts';
import { useWindowTitle } from '../../../ui/page.tsx';
import { createSessionActions } from '../commands/action-list.ts';
import { focusInput, keyBelongsElsewhere } from '../commands/focus.ts';
import type { Mode } from '../model/types.ts';
import { CanvasArea } from './canvas-area.tsx';
import { BulkDialog } from '../panels/editing/bulk-dialog.tsx';
import { FoldingInspector, inspectorStyle, useInspectorWidth } from '../panels/inspector/inspector.tsx';
import { followKeys } from '../commands/label-keys.ts';
import { OptionsBar } from '../panels/options-bar.tsx';
import {
  useAnnotate,
  useSession,
  WorkspaceContext,
  type Workspace as WorkspaceValue,
} from '../panels/session-context.ts';
import { FrameStrip } from '../panels/frame-strip/frame-strip.tsx';
import { Timeline } from '../panels/timeline/timeline.tsx';
import { createAnnotateSession, type AnnotateSession, type SessionInput } from '../model/session.ts';
import type { JobSaving } from '../model/saving/job-saving.ts';
import { StatusBar } from '../panels/status-bar.tsx';
import { ToolRail } from '../panels/tool-rail.tsx';
import { PropagateDialog, ShapesDialog } from '../panels/tracks/frames-dialogs.tsx';
import { TopBar } from '../panels/top-bar/top-bar.tsx';
import classes from '../panels/workspace.module.css';

interface WorkspaceProps {
  readonly job: Job;
  readonly meta: DataMeta;
  readonly listedFrom: number;
  readonly labels: readonly Label[];
  readonly saving: JobSaving;
  readonly kept: SessionInput['kept'];
  readonly startFrame: number;
  readonly startMode: Mode;
}

/** The session and its actions exist as long as their host element. */
function useOpenedJob(host: RefObject<HTMLElement | null>, props: WorkspaceProps): WorkspaceValue | null {
  const client = useQueryClient();
  const [workspace, setWorkspace] = useState<WorkspaceValue | null>(null);
  const first = useRef({ host, props });
  useEffect(() => {
    const { host, props } = first.current;
    if (host.current === null) return;
    const onLabels = (next: readonly Label[]): void => {
      client.setQueryData(['labels', { job_id: props.job.id }], next);
      void client.invalidateQueries({ queryKey: ['labels'], refetchType: 'none' });
    };
    const issues = (): readonly Issue[] =>
      client.getQueryData(reviewQueries.ofJob(props.job.id).queryKey)?.results ?? [];
    const onIssues = (): void => {
      void client.invalidateQueries({ queryKey: ['issues'] });
      void client.invalidateQueries({ queryKey: ['jobs'], refetchType: 'none' });
    };
    const session = createAnnotateSession({ ...props, host: host.current, onLabels, issues, onIssues });
    const actions = createSessionActions(session);
    const stopKeys = followKeys(actions, session);
    void session.navigator.goTo(props.startFrame);
    // The panels take longer to render than the first image to load, so they must not delay it.
    startTransition(() => setWorkspace({ session, actions }));
    return () => {
      setWorkspace(null);
      stopKeys();
      session.close();
    };
  }, [client]);
  return workspace;
}

/** Keys of the screen, unless a text field has the focus. */
function useKeys(workspace: WorkspaceValue | null): void {
  useEffect(() => {
    if (workspace === null) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || keyBelongsElsewhere(event)) return;
      // An open label prompt takes the input, wherever the focus is.
      if (workspace.session.store.getState().naming !== null) {
        focusInput('naming');
        return;
      }
      // Space acts on release unless it panned the image.
      if (event.code === 'Space') event.preventDefault();
      else if (workspace.actions.handleKey(event)) event.preventDefault();
    };
    let space: 'up' | 'down' | 'used' = 'up';
    const onSpace = (event: KeyboardEvent): void => {
      if (event.code !== 'Space' || keyBelongsElsewhere(event)) return;
      if (event.type === 'keydown') space = event.repeat ? space : 'down';
      else {
        if (space === 'down') workspace.actions.handleKey(event);
        space = 'up';
      }
    };
    const onPress = (): void => void (space = 'used');
    const ended = new AbortController();
    const { signal } = ended;
    window.addEventListener('keydown', onKey, { signal });
    window.addEventListener('keydown', onSpace, { signal });
    window.addEventListener('keyup', onSpace, { signal });
    window.addEventListener('pointerdown', onPress, { signal });
    return () => ended.abort();
  }, [workspace]);
}

/** Longer than the pause between two steps of a held key; short, because a reload opens the stored frame. */
const addressPauseMs = 150;

/** Stores frame and mode in the address, so that a reload opens them again. */
function usePlaceInAddress(session: AnnotateSession | null): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (session === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = session.store.subscribe((state, before) => {
      // A new address renders the page and reloads the tab's icon, so it is set only when the steps pause.
      const isSame = state.frame === before.frame && state.playing === before.playing && state.mode === before.mode;
      if (isSame) return;
      clearTimeout(timer);
      if (state.playing) return;
      timer = setTimeout(() => {
        const { frame, mode } = session.store.getState();
        void navigate({ to: '.', search: { frame, mode }, replace: true });
      }, addressPauseMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [session, navigate]);
}

function useCommands(workspace: WorkspaceValue | null): void {
  const setActions = useHelp((state) => state.setActions);
  const table = workspace?.actions;
  const version = useSyncExternalStore(
    useCallback((changed: () => void) => table?.subscribe(changed) ?? (() => {}), [table]),
    () => table?.version,
  );
  const commands = useMemo(
    () =>
      (table?.actions ?? []).map((action) => {
        const [shortcut] = table?.shortcutsOf(action.id) ?? [];
        return {
          id: action.id,
          label: actionText(action),
          shortcut: shortcut === undefined ? undefined : shortcutText(shortcut),
          run: () => void table?.run(action.id),
        };
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- the version stands for what the table holds
    [table, version],
  );
  useOfferCommands(commands);
  useEffect(() => {
    setActions(workspace?.actions ?? null);
    return () => setActions(null);
  }, [workspace, setActions]);
}

/** Panel under the image. */
const Dock = () => {
  const dock = useAnnotate((state) => state.dock);
  if (dock === 'frames') return <FrameStrip />;
  return dock === 'timeline' ? <Timeline /> : null;
};

function Dialog() {
  const { job, saving, refresh, store } = useSession();
  const dialog = useAnnotate((state) => state.dialog);
  const onClose = (): void => store.setState({ dialog: null });
  const target = { kind: 'job', id: job.id, name: job.task_name ?? '', isVideo: job.mode === 'interpolation' } as const;
  const ofJob = { target, onClose, beforeStart: saving.queue.whenSaved };
  switch (dialog) {
    case null:
      return null;
    case 'export':
      return <ExportDialog {...ofJob} />;
    case 'import':
      return <ImportDialog {...ofJob} onDone={() => void refresh()} />;
    case 'statistics':
      return <StatisticsDialog {...ofJob} />;
    case 'shapes':
      return <ShapesDialog onClose={onClose} />;
    case 'propagate':
      return <PropagateDialog onClose={onClose} />;
    case 'bulk':
      return <BulkDialog onClose={onClose} />;
  }
}

export function Workspace(props: WorkspaceProps) {
  const host = useRef<HTMLDivElement>(null);
  const workspace = useOpenedJob(host, props);
  const session = workspace?.session ?? null;
  useKeys(workspace);
  usePlaceInAddress(session);
  useCommands(workspace);

  const t = useText();
  const [width, setWidth] = useInspectorWidth();
  const name = props.job.task_name ?? '';
  useWindowTitle(name);
  return (
    <div className={classes.workspace} style={inspectorStyle(width)}>
      <VisuallyHidden component="h1">{t('annotate.heading', { name, id: props.job.id })}</VisuallyHidden>
      <WorkspaceContext value={workspace}>
        {workspace === null ? <div className={classes.top} /> : <TopBar />}
        {workspace === null ? <div className={classes.rail} /> : <ToolRail />}
        <div className={classes.middle}>
          {workspace === null ? <div className={classes.labels} /> : <OptionsBar />}
          <CanvasArea host={host} />
        </div>
        {workspace !== null && <Dock />}
        {workspace === null ? (
          <div className={classes.inspector} />
        ) : (
          <FoldingInspector onWidth={setWidth} width={width} />
        )}
        {workspace === null ? <div className={classes.status} /> : <StatusBar />}
        {workspace !== null && <Dialog />}
      </WorkspaceContext>
    </div>
  );
}
