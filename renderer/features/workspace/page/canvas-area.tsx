import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useState, type RefObject } from 'react';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Loader, Text } from '../../../ui/kit.ts';
import { Problem } from '../../../ui/page.tsx';
import { frameIsShown } from '../model/types.ts';
import classes from '../panels/canvas-area.module.css';
import { FilterCard } from '../panels/find/filter-card.tsx';
import { FrameSearch } from '../panels/find/frame-search.tsx';
import { SuggestionButtons } from '../panels/models/suggestion-buttons.tsx';
import { NamingPrompt } from '../panels/labels/naming-prompt.tsx';
import { useAnnotate, useSession, WorkspaceContext } from '../panels/session-context.ts';
import { CanvasMenu } from '../panels/menus/canvas-menu.tsx';
import { Minimap } from '../panels/minimap.tsx';
import { AttributeLight } from '../panels/modes/attribute-light.tsx';
import { IssueLayer } from '../panels/review/issue-layer.tsx';
import { FinishNote } from '../panels/modes/finish-note.tsx';
import { MergeBar } from '../panels/tracks/merge-bar.tsx';
import { TagChips } from '../panels/labels/tag-chips.tsx';

/** Blocks the pointer while another frame loads. */
const Shield = () => (useAnnotate(frameIsShown) ? <FrameMark /> : <div className={classes.shield} />);

/** Exposes the displayed frame to tests and automation. */
const FrameMark = () => {
  const frame = useAnnotate((state) => state.frame);
  const picture = useAnnotate((state) => state.picture.kind);
  return <span hidden data-testid="frame-shown" data-frame={frame} data-picture={picture} />;
};

/** Warns that the image file was replaced, because users would trust boxes on another image. */
const ChangedPicture = () => {
  const t = useText();
  const { job, hasFilesInPlace } = useSession();
  const frame = useAnnotate((state) => state.settledFrame);
  // The service checks a file when its frame is asked for. A file may change while the job is open.
  const found = useQuery({
    ...queries.jobFrame(job.id, frame),
    enabled: hasFilesInPlace,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const state = found.data?.limner_state;
  const isShown = useAnnotate((now) => state !== undefined && now.frame === now.settledFrame);
  return state === undefined || !isShown ? null : (
    <div className={`${classes.over} ${classes.changed}`} role="status">
      {t(state === 'missing' ? 'annotate.frameMissing' : 'annotate.frameReplaced')}
    </div>
  );
};

const DeletedFrame = () => {
  const t = useText();
  const { deletedFrames, store } = useSession();
  const isDeleted = useAnnotate(({ deleted, frame }) => deleted.has(frame));
  // The notice of a frame that cannot be shown says why; there is nothing to restore.
  const isShown = useAnnotate(({ picture }) => picture.kind !== 'failed');
  return isDeleted && isShown ? (
    <div className={`${classes.over} ${classes.changed}`} role="status">
      {t('modes.deletedFrame')}{' '}
      <Button size="compact-xs" variant="default" onClick={() => void deletedFrames.toggle(store.getState().frame)}>
        {t('annotate.restoreFrame')}
      </Button>
    </div>
  ) : null;
};

/** A spinner that flashes on each frame is distracting. */
const lastingMs = 400;

function useLasting(isSo: boolean): boolean {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(setLasting, lastingMs, true);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [isSo]);
  return isLasting;
}

const Notices = () => {
  const t = useText();
  const { navigator } = useSession();
  const picture = useAnnotate((state) => state.picture);
  const detail = useAnnotate((state) => state.detail);
  const annotationsFailed = useAnnotate((state) => state.annotationsFailed);
  const isLong = useLasting(picture.kind === 'loading');
  // Read only while a notice names it, so that a step does not render.
  const isNamed = picture.kind !== 'ready' || annotationsFailed !== null;
  const frame = useAnnotate((state) => (isNamed ? state.wantedFrame : 0));
  const retry = (): void => void navigator.reload();
  return (
    <>
      {picture.kind === 'loading' && isLong && (
        <div className={`${classes.over} ${classes.loading}`} role="status">
          <Loader size={14} />
          <Text fz="xs">{t('annotate.frameLoading', { frame })}</Text>
        </div>
      )}
      {detail?.kind === 'making' && picture.kind === 'ready' && (
        <div className={`${classes.over} ${classes.loading}`} role="status">
          <Loader size={14} />
          <Text fz="xs">{t('annotate.detailMaking')}</Text>
        </div>
      )}
      {detail?.kind === 'failed' && picture.kind === 'ready' && (
        <div className={`${classes.over} ${classes.detail}`} role="alert">
          <Text fz="xs">{t('annotate.detailFailed', { message: detail.message })}</Text>
          <Button size="compact-xs" variant="default" onClick={navigator.retryDetail}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      <div className={classes.problems}>
        {picture.kind === 'failed' && (
          <Problem title={t('annotate.frameFailed', { frame })} message={picture.message} retry={retry} />
        )}
        {annotationsFailed !== null && (
          <Problem title={t('annotate.annotationsFailed', { frame })} message={annotationsFailed} retry={retry} />
        )}
      </div>
    </>
  );
};

/** Host of the canvas and its overlays. The host stays mounted, because the engine is attached to it. */
export function CanvasArea({ host }: { readonly host: RefObject<HTMLDivElement | null> }) {
  const ready = useContext(WorkspaceContext) !== null;
  return (
    <div className={classes.area} data-canvas>
      <div ref={host} className={classes.host} data-testid="canvas" />
      {ready && (
        <>
          <Shield />
          <AttributeLight />
          <IssueLayer />
          <TagChips />
          <SuggestionButtons />
          <Minimap />
          <Notices />
          <ChangedPicture />
          <DeletedFrame />
          <FinishNote />
          <MergeBar />
          <NamingPrompt />
          <CanvasMenu />
          <FilterCard />
          <FrameSearch />
        </>
      )}
    </div>
  );
}
