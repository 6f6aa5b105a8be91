import { IconMessage2Filled, IconPhotoOff } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../../i18n/index.ts';
import { imageInWindow } from '../../../../shared/files/sent-images.ts';
import { useRemoveFrames } from '../../../../shared/remove-frames.ts';
import { Menu } from '../../../../ui/kit.ts';
import { MenuAt } from '../../../../ui/menu-at.tsx';
import { jobFrames } from '../../model/frames/job-frames.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { useJobIssues } from '../timeline/issue-marks.tsx';
import classes from './frame-strip.module.css';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';

const widthPx = 124;
const framesAPage = 8;
const none: ReadonlyMap<number, number> = new Map();

function useObjectCounts(): ReadonlyMap<number, number> {
  const { matches } = useSession().find;
  const frame = useAnnotate((state) => state.settledFrame);
  const edits = useStore(matches.changes, ({ count }) => count);
  const [counts, setCounts] = useState(none);
  const operationQuery = useRef<number | null>(null);
  useEffect(() => {
    if (operationQuery.current === edits) return undefined;
    operationQuery.current = edits;
    let isCurrent = true;
    matches.of(null).then(
      (found) => isCurrent && setCounts(new Map(found.frames.map((at, index) => [at, found.counts[index] ?? 0]))),
      // The strip works without the counts.
      () => (operationQuery.current = null),
    );
    return () => void (isCurrent = false);
    // oxlint-disable-next-line react/exhaustive-deps -- not after each edit, but with the next frame
  }, [matches, frame]);
  return counts;
}

const Picture = ({ frame, thumbnails }: { readonly frame: number; readonly thumbnails: Thumbnails }) => {
  const [loaded, setLoaded] = useState<{ readonly address: string | null } | null>(null);
  const kept = thumbnails.kept(frame);
  // The first image comes before all thumbnails.
  const isOpen = useAnnotate(({ shown }) => shown);
  useEffect(() => {
    if (!isOpen || thumbnails.kept(frame) !== undefined) return undefined;
    const gone = new AbortController();
    thumbnails.load(frame, gone.signal).then(
      (address) => setLoaded({ address }),
      () => gone.signal.aborted || setLoaded({ address: null }),
    );
    return () => gone.abort();
  }, [frame, thumbnails, isOpen]);
  const address = kept ?? loaded?.address;
  if (address === undefined) return null;
  return address === null ? <IconPhotoOff size={20} stroke={1.25} /> : <img src={address} alt="" draggable={false} />;
};

function useFrameWords(): (frame: number) => {
  readonly name: string;
  readonly isDeleted: boolean;
  readonly issues: number;
  readonly objects: number;
} {
  const t = useText();
  const { metaOf } = useSession();
  const deleted = useAnnotate((state) => state.deleted);
  // Renders again when the names arrive.
  useAnnotate((state) => state.listed);
  const { found } = useJobIssues();
  const objectCounts = useObjectCounts();
  const issueCounts = useMemo(() => {
    const counts = new Map<number, number>();
    for (const { frame, resolved } of found) {
      if (!resolved && frame !== null) counts.set(frame, (counts.get(frame) ?? 0) + 1);
    }
    return counts;
  }, [found]);
  return (frame) => {
    const [isDeleted, issues, objects] = [
      deleted.has(frame),
      issueCounts.get(frame) ?? 0,
      objectCounts.get(frame) ?? 0,
    ];
    const words = [t('timeline.frameMenu', { frame }), metaOf(frame)?.name ?? ''];
    if (isDeleted) words.push(t('strip.deleted'));
    if (objects > 0) words.push(t('annotate.objectCount', { count: objects }));
    if (issues > 0) words.push(t('strip.issues', { count: issues }));
    return { name: words.filter((word) => word !== '').join(', '), isDeleted, issues, objects };
  };
}

interface FrameMenuPlace {
  readonly frame: number;
  readonly x: number;
  readonly y: number;
}

function FrameMenu({ place, onClose }: { readonly place: FrameMenuPlace; readonly onClose: () => void }) {
  const t = useText();
  const { frame } = place;
  const { job, store, navigator: frames, deletedFrames, metaOf } = useSession();
  const remove = useRemoveFrames(job.task_id);
  const removeImage = async (): Promise<void> => {
    if (!(await remove([frame]))) return;
    store.setState(({ deleted }) => ({ deleted: new Set(deleted).add(frame) }));
    await frames.reload();
  };
  const shown = useAnnotate((state) => state.wantedFrame);
  const isDeleted = useAnnotate(({ deleted }) => deleted.has(frame));
  const name = metaOf(frame)?.name ?? '';
  return (
    <MenuAt at={place} label={t('timeline.frameMenu', { frame })} position="top-start" onClose={onClose}>
      <Menu.Item disabled={frame === shown} onClick={() => void frames.goTo(frame)}>
        {t('timeline.goHere')}
      </Menu.Item>
      <Menu.Item onClick={() => void deletedFrames.toggle(frame)}>
        {t(isDeleted ? 'strip.restore' : 'strip.delete')}
      </Menu.Item>
      {job.mode !== 'interpolation' && (
        <Menu.Item color="red" onClick={() => void removeImage()}>
          {t('removeFrames.one')}
        </Menu.Item>
      )}
      <Menu.Item
        disabled={name === '' || !window.isSecureContext}
        onClick={() => void navigator.clipboard.writeText(name)}
      >
        {t('strip.copyName')}
      </Menu.Item>
    </MenuAt>
  );
}

interface StripFrameProps {
  readonly id: string;
  readonly frame: number;
  readonly index: number;
  readonly count: number;
  readonly startPx: number;
  readonly name: string;
  readonly isShown: boolean;
  readonly isDeleted: boolean;
  readonly hasIssues: boolean;
  readonly hasObjects: boolean;
  readonly thumbnails: Thumbnails;
}

/** A step renders only the frame that it leaves and the one that it shows. */
const StripFrame = memo((props: StripFrameProps) => {
  const { id, frame, index, count, startPx, name, isShown, isDeleted, hasIssues, hasObjects, thumbnails } = props;
  const { navigator } = useSession();
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list has the keys
    <div
      id={id}
      className={classes.frame}
      style={{ transform: `translateX(${startPx}px)` }}
      role="option"
      tabIndex={-1}
      aria-label={name}
      aria-selected={isShown}
      aria-posinset={index + 1}
      aria-setsize={count}
      title={name}
      data-frame={frame}
      data-deleted={isDeleted || undefined}
      onClick={() => void navigator.goTo(frame)}
    >
      <div className={classes.picture}>
        <Picture frame={frame} thumbnails={thumbnails} />
      </div>
      <div className={classes.words}>
        <span className={classes.number}>{frame}</span>
        {hasIssues && <IconMessage2Filled className={classes.issue} size={12} />}
        {hasObjects && <span className={classes.annotated} />}
      </div>
    </div>
  );
});
StripFrame.displayName = 'StripFrame';

/** Thumbnails of the job's frames under the canvas. A click or the arrow keys go to a frame. */
export function FrameStrip() {
  const t = useText();
  const { job, store, metaOf, navigator } = useSession();
  const frames = useMemo(() => jobFrames(job, metaOf), [job, metaOf]);
  const waitMessage = useFrameWords();
  const shown = useAnnotate((state) => state.settledFrame);
  const [thumbnails] = useState(() =>
    createThumbnails(job.id, (frame) => imageInWindow(job.task_id, metaOf(frame)?.name ?? '')),
  );
  useEffect(() => thumbnails.clear, [thumbnails]);
  const [menu, setMenu] = useState<FrameMenuPlace | null>(null);
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const at = frames.indexOf(shown);
  const virtual = useVirtualizer({
    horizontal: true,
    count: frames.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => widthPx,
    getItemKey: (index) => frames[index] ?? index,
    paddingStart: 6,
    paddingEnd: 6,
    overscan: 4,
  });
  useEffect(() => {
    if (at < 0) return undefined;
    // Scrolling forces a layout, which would delay the image if it ran with the key.
    const request = requestAnimationFrame(() => virtual.scrollToIndex(at, { align: 'auto' }));
    return () => cancelAnimationFrame(request);
    // oxlint-disable-next-line react/exhaustive-deps -- only another frame scrolls the strip
  }, [at]);

  const goTo = (index: number): void => {
    const frame = frames[Math.min(frames.length - 1, Math.max(0, index))];
    if (frame !== undefined) void navigator.goTo(frame);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const from = frames.indexOf(store.getState().wantedFrame);
    const index = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      PageUp: from - framesAPage,
      PageDown: from + framesAPage,
      Home: 0,
      End: frames.length - 1,
    }[event.key];
    if (index === undefined) return;
    event.preventDefault();
    goTo(index);
  };
  /** The menu key has no position, so the menu opens at the displayed frame. */
  const askMenu = (event: MouseEvent): void => {
    event.preventDefault();
    const pointed = (event.target as Element).closest<HTMLElement>('[data-frame]');
    const frame = pointed === null ? store.getState().wantedFrame : Number(pointed.dataset['frame']);
    // The strip follows a step after the repaint.
    const option = pointed ?? scroll.current?.querySelector(`[data-frame="${frame}"]`) ?? event.currentTarget;
    const { left, top } = option.getBoundingClientRect();
    setMenu({
      frame,
      x: pointed ? event.clientX : left,
      y: pointed ? event.clientY : top,
    });
  };

  return (
    <>
      <div
        ref={scroll}
        className={classes.strip}
        role="listbox"
        aria-orientation="horizontal"
        aria-label={t('strip.title')}
        aria-activedescendant={at < 0 ? undefined : `${id}-${shown}`}
        tabIndex={0}
        data-keeps-keys
        data-testid="frame-strip"
        // Keeps the focus on the canvas.
        onMouseDown={(event) => event.button === 0 && event.preventDefault()}
        onKeyDown={onKeyDown}
        onContextMenu={askMenu}
        onWheel={(event) => {
          if (event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY;
        }}
      >
        <div className={classes.frames} role="presentation" style={{ width: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const frame = frames[index] ?? 0;
            const { name, isDeleted, issues, objects } = waitMessage(frame);
            return (
              <StripFrame
                key={key}
                id={`${id}-${frame}`}
                frame={frame}
                index={index}
                count={frames.length}
                startPx={start}
                name={name}
                isShown={frame === shown}
                isDeleted={isDeleted}
                hasIssues={issues > 0}
                hasObjects={objects > 0}
                thumbnails={thumbnails}
              />
            );
          })}
        </div>
      </div>
      {menu !== null && <FrameMenu place={menu} onClose={() => setMenu(null)} />}
    </>
  );
}
