import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { IconAlertTriangle, IconFocusCentered, IconMinus, IconPlus, IconX } from '@tabler/icons-react';
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { TrackRecord } from '../../../../canvas/types.ts';
import { canvasText } from '../../../../i18n/canvas-text.ts';
import { useText } from '../../../../i18n/index.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Button, Text, TextInput, useColorScheme } from '../../../../ui/kit.ts';
import { notify } from '../../../../ui/notify.ts';
import { ActionButton } from '../action-button.tsx';
import { keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { IssueMarks, useJobIssues } from './issue-marks.tsx';
import { createKeyframeCommands } from './keyframe-commands.ts';
import { KeyframeMenus } from './keyframe-menu.tsx';
import { TimelineGrip, useHeight } from './timeline-height.tsx';
import { Names, useHovered } from './timeline-names.tsx';
import { paintHead, paintRows, paletteOf, type Row } from './timeline-painter.ts';
import {
  densityOf,
  filtered,
  fitted,
  issueMarks,
  revealed,
  rowHeightPx,
  zoomedAt,
  type FrameRange,
  type TimeView,
} from './timeline-view.ts';
import classes from './timeline.module.css';
import { useTimelineIsFilled, useTracks } from './use-timeline.ts';
import { useCanvas } from './use-canvas.ts';
import { useTimelinePointer } from './use-timeline-pointer.ts';
import { formatNumber } from '../../../../i18n/language.ts';
import { useSelection } from '../scene-hooks.ts';

const refuse = (why: TextKey): void => notify.hint('refused', canvasText(why));

/** Server id of a track as in the object list; undefined before it is saved. */
function useTrackNumbers(): (track: TrackRecord) => number | undefined {
  const { queue } = useSession().saving;
  useAnnotate((state) => state.save);
  return useCallback(({ clientId, serverId }) => queue.serverIdOf(clientId) ?? serverId, [queue]);
}

function useShownTracks(all: readonly TrackRecord[], filter: string, labelOf: ReadonlyMap<number, Label>) {
  const numberOf = useTrackNumbers();
  const tracks = useMemo(
    () => filtered(all, filter, (id) => labelOf.get(id)?.name ?? '', numberOf),
    [all, filter, labelOf, numberOf],
  );
  return { tracks, numberOf };
}

/** Visible frames: initially the complete job. Follows the displayed frame. */
function useTimeView(range: FrameRange, width: number) {
  const [wanted, setView] = useState<TimeView>({ from: range.first, scale: 0 });
  const view = useMemo(() => fitted(wanted, range, Math.max(1, width)), [wanted, range, width]);
  const follow = useCallback(
    (frame: number): void =>
      setView((before) => {
        const now = fitted(before, range, Math.max(1, width));
        const next = revealed(now, frame, range, width);
        return next === now ? before : next;
      }),
    [range, width],
  );
  useFrameChanges(follow);
  /** Zooms around the centre; 0 shows the complete job. */
  const zoom = useCallback(
    (factor: number): void =>
      setView((before) =>
        factor === 0
          ? { from: range.first, scale: 0 }
          : zoomedAt(fitted(before, range, width), width / 2, factor, range, width),
      ),
    [range, width],
  );
  return { view, setView, zoom };
}

/** Calls back for each displayed frame without rendering, because a video shows thirty per second. */
function useFrameChanges(tell: (frame: number) => void): void {
  const { store } = useSession();
  useLayoutEffect(
    () => store.subscribe(({ wantedFrame }, before) => wantedFrame !== before.wantedFrame && tell(wantedFrame)),
    [store, tell],
  );
}

/** A non-passive listener, which can prevent the page's zoom. React's listeners are passive. */
function useWheel(onWheel: (event: globalThis.WheelEvent, left: number) => void) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const listen = (event: globalThis.WheelEvent): void => onWheel(event, element.getBoundingClientRect().left);
    element.addEventListener('wheel', listen, { passive: false });
    return () => element.removeEventListener('wheel', listen);
  });
  return host;
}

function useRevealedRow(
  scroll: RefObject<HTMLDivElement | null>,
  tracks: readonly TrackRecord[],
  primary: string | undefined,
): void {
  useEffect(() => {
    const index = tracks.findIndex(({ clientId }) => clientId === primary);
    const host = scroll.current;
    if (index < 0 || host === null) return;
    const y = index * rowHeightPx;
    if (y < host.scrollTop) host.scrollTop = y;
    else if (y + rowHeightPx > host.scrollTop + host.clientHeight) host.scrollTop = y + rowHeightPx - host.clientHeight;
    // oxlint-disable-next-line react/exhaustive-deps -- only another selection scrolls the rows
  }, [primary]);
}

interface HeadProps {
  readonly count: number;
  readonly onZoom: (factor: number) => void;
  /** Null unless loading failed. */
  readonly retryIssues: (() => void) | null;
}

/** Memoized: renders only if the count changes, not on each frame. */
const Head = memo(({ count, onZoom, retryIssues }: HeadProps) => {
  const t = useText();
  const icon = { size: 16, stroke: 1.5 };
  return (
    <div className={classes.head} onMouseDown={keepFocus}>
      <span className={classes.title}>
        {t('timeline.title')}
        <span className={classes.count}>{formatNumber(count)}</span>
      </span>
      <span style={{ flex: 1 }} />
      {retryIssues !== null && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="yellow"
          leftSection={<IconAlertTriangle size={14} stroke={1.5} />}
          onClick={retryIssues}
        >
          {t('timeline.issuesFailed')}
        </Button>
      )}
      <IconButton
        size="sm"
        label={t('timeline.zoomOut')}
        icon={<IconMinus {...icon} />}
        onClick={() => onZoom(1 / 1.5)}
      />
      <IconButton size="sm" label={t('timeline.zoomIn')} icon={<IconPlus {...icon} />} onClick={() => onZoom(1.5)} />
      <IconButton
        size="sm"
        label={t('timeline.whole')}
        icon={<IconFocusCentered {...icon} />}
        onClick={() => onZoom(0)}
      />
      <ActionButton size="sm" label={t('timeline.close')} action="timeline.toggle" icon={IconX} />
    </div>
  );
});
Head.displayName = 'Head';

const Filter = memo(({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const t = useText();
  return (
    <div className={classes.filter}>
      <TextInput
        size="xs"
        variant="unstyled"
        placeholder={t('timeline.filter')}
        aria-label={t('timeline.filter')}
        value={value}
        onChange={onChange}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </div>
  );
});
Filter.displayName = 'Filter';

/** Tracks over time; a single line while empty. */
export function Timeline() {
  const t = useText();
  return useTimelineIsFilled() ? (
    <Rows />
  ) : (
    <section className={classes.dock} aria-label={t('timeline.title')} data-testid="timeline">
      <div className={classes.head} onMouseDown={keepFocus}>
        <span className={classes.title}>{t('timeline.title')}</span>
        <Text fz={12} c="dimmed" truncate flex={1}>
          {t('timeline.none')}
        </Text>
        <ActionButton size="sm" label={t('timeline.close')} action="timeline.toggle" icon={IconX} />
      </div>
    </section>
  );
}

function Rows() {
  const t = useText();
  const { engine, job, store } = useSession();
  const deleted = useAnnotate((state) => state.deleted);
  const all = useTracks();
  const labels = useAnnotate((state) => state.labels);
  const selection = useSelection();
  const hovered = useHovered();
  // Repaints with the colours of another theme.
  useColorScheme();
  const [filter, setFilter] = useState('');
  const [top, setTop] = useState(0);
  const scroll = useRef<HTMLDivElement>(null);
  const { height, setHeight } = useHeight();
  const range: FrameRange = useMemo(() => ({ first: job.start_frame, last: job.stop_frame }), [job]);
  const {
    attach: attachRuler,
    paint: paintRuler,
    element: ruler,
    size: { width },
  } = useCanvas();
  const { attach: attachSheet, paint: paintSheet, size: sheet } = useCanvas();
  const { view, setView, zoom } = useTimeView(range, width);
  const labelOf = useMemo(() => new Map(labels.map((label) => [label.id, label])), [labels]);
  const { tracks, numberOf } = useShownTracks(all, filter, labelOf);
  const density = useMemo(() => densityOf(all, range, deleted), [all, range, deleted]);
  const issues = useJobIssues();
  const marks = useMemo(() => issueMarks(issues.found, view, width), [issues.found, view, width]);

  useRevealedRow(scroll, tracks, selection.at(-1));

  const commands = useMemo(() => createKeyframeCommands({ engine, range, refuse }), [engine, range]);
  const pointer = useTimelinePointer({ tracks, view, range, top, width, setView, commands });
  const { chosen, menu } = pointer;
  const body = useWheel(pointer.wheel);
  const firstRow = Math.floor(top / rowHeightPx);
  const shownTracks = tracks.slice(firstRow, firstRow + Math.ceil(sheet.height / rowHeightPx) + 1);
  const offset = firstRow * rowHeightPx - top;
  const paint = (): void => {
    if (ruler === null) return;
    const frame = store.getState().wantedFrame;
    const scene = { view, range, frame, width, palette: paletteOf(ruler), deleted };
    const rows = shownTracks.map((track): Row => ({
      track: pointer.preview(track),
      color: labelOf.get(track.labelId)?.color ?? '#888888',
      isSelected: selection.includes(track.clientId),
      isHovered: track.clientId === hovered,
      chosen: chosen?.id === track.clientId ? chosen.frame : null,
    }));
    paintRuler((context) => paintHead(context, scene, density, marks));
    paintSheet((context) => paintRows(context, rows, offset, sheet.height, scene));
  };
  const latest = useRef(paint);
  // Synchronous, so that rows and names are painted together.
  useLayoutEffect(() => {
    latest.current = paint;
    paint();
  });
  useFrameChanges(useCallback(() => latest.current(), []));

  return (
    <section className={classes.dock} style={{ height }} aria-label={t('timeline.title')} data-testid="timeline">
      <TimelineGrip height={height} onHeight={setHeight} />
      <Head count={all.length} onZoom={zoom} retryIssues={issues.retry} />
      <div ref={body} className={classes.body}>
        <Filter value={filter} onChange={setFilter} />
        <div className={classes.ruler}>
          <canvas
            ref={attachRuler}
            style={{ width: '100%', height: 42 }}
            role="img"
            aria-label={t('timeline.ruler')}
            data-testid="timeline-ruler"
            onPointerDown={pointer.scrub}
            onPointerMove={pointer.scrub}
          />
          <IssueMarks marks={marks} view={view} width={width} />
        </div>
        <div
          ref={scroll}
          className={classes.scroll}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys for what was pressed in it
          tabIndex={0}
          role="group"
          aria-label={t('timeline.rows')}
          onScroll={(event) => setTop(event.currentTarget.scrollTop)}
          onKeyDown={pointer.key}
          onBlur={() => menu === null && pointer.choose(null)}
        >
          {tracks.length === 0 && (
            <Text fz="sm" c="dimmed" p={16}>
              {t(all.length === 0 ? 'timeline.none' : 'timeline.noneMatch')}
            </Text>
          )}
          <div style={{ position: 'relative', height: tracks.length * rowHeightPx }}>
            <div className={classes.pane} style={{ height: Math.min(tracks.length * rowHeightPx, height - 74 - 1) }}>
              <Names
                tracks={shownTracks}
                offset={offset}
                numberOf={numberOf}
                labelOf={labelOf}
                onSelect={pointer.select}
              />
              <canvas
                ref={attachSheet}
                style={{ width: '100%', height: '100%', touchAction: 'none' }}
                role="img"
                aria-label={t('timeline.bars')}
                data-testid="timeline-rows"
                onPointerDown={pointer.press}
                onPointerMove={pointer.move}
                onPointerUp={pointer.release}
                onPointerCancel={pointer.cancel}
                onPointerLeave={() => engine.setHover(null)}
                onDoubleClick={pointer.doubleClick}
                onContextMenu={pointer.askMenu}
              />
            </div>
          </div>
        </div>
      </div>
      <KeyframeMenus place={menu} range={range} commands={commands} onClose={pointer.closeMenu} />
    </section>
  );
}
