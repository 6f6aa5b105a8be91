import { IconFocusCentered, IconMinus, IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type PointerEvent, type RefObject } from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { TrackRecord } from '../../../canvas/types.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput, useColorScheme, useLocalStorage } from '../../../ui/kit.ts';
import { keepFocus } from '../action-list.ts';
import { useAnnotate, useSelection, useSession, useWorkspace } from '../session-context.ts';
import { paintHead, paintRows, paletteOf, type Row } from './timeline-painter.ts';
import {
  densityOf,
  filtered,
  fitted,
  revealed,
  rowHeightPx,
  zoomedAt,
  type FrameRange,
  type TimeView,
} from './timeline-view.ts';
import classes from './timeline.module.css';
import { useCanvas } from './use-canvas.ts';
import { useTimelinePointer } from './use-timeline-pointer.ts';

const lowestPx = 124;

function useTracks(): readonly TrackRecord[] {
  const { tracks } = useSession().engine;
  useSyncExternalStore(tracks.subscribe, () => tracks.version);
  return tracks.all();
}

function useHovered(): string | null {
  const { engine } = useSession();
  return useSyncExternalStore((changed) => engine.on('hover', changed), engine.getHover);
}

/** Dragging the upper edge changes the height; it is kept. */
function useHeight() {
  const [height, setHeight] = useLocalStorage({ key: 'limner.timeline.height', defaultValue: 244 });
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1) return;
    const wanted = window.innerHeight - event.clientY - 28;
    setHeight(Math.round(Math.min(window.innerHeight * 0.6, Math.max(lowestPx, wanted))));
  };
  return { height: Math.min(height, window.innerHeight * 0.6), drag };
}

/** A listener that may keep the page from zooming along: React's own may not. */
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

/** The row of what was selected last comes into view. */
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
}

const Head = ({ count, onZoom }: HeadProps) => {
  const t = useText();
  const { actions } = useWorkspace();
  const icon = { size: 16, stroke: 1.5 };
  return (
    <div className={classes.head} onMouseDown={keepFocus}>
      <span className={classes.title}>
        {t('timeline.title')}
        <span className={classes.count}>{count}</span>
      </span>
      <span style={{ flex: 1 }} />
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
      <IconButton
        size="sm"
        label={t('timeline.close')}
        shortcut="Ctrl+J"
        icon={<IconX {...icon} />}
        onClick={() => actions.run('timeline.toggle')}
      />
    </div>
  );
};

const Grip = ({ onDrag }: { readonly onDrag: (event: PointerEvent<HTMLDivElement>) => void }) => {
  const t = useText();
  return (
    <div
      className={classes.grip}
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('timeline.resize')}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onDrag}
    />
  );
};

interface NamesProps {
  readonly tracks: readonly TrackRecord[];
  /** Of the first row, pixels. */
  readonly offset: number;
  readonly numbers: ReadonlyMap<TrackRecord, number>;
  readonly labelOf: ReadonlyMap<number, Label>;
  readonly onSelect: (track: TrackRecord, adds: boolean) => void;
}

const Names = ({ tracks, offset, numbers, labelOf, onSelect }: NamesProps) => {
  const { engine } = useSession();
  const selection = useSelection();
  const hovered = useHovered();
  return (
    <div className={classes.names} onMouseDown={keepFocus} onPointerLeave={() => engine.setHover(null)}>
      {tracks.map((track, index) => (
        <button
          key={track.clientId}
          type="button"
          className={classes.name}
          style={{ top: offset + index * rowHeightPx }}
          data-testid="timeline-name"
          data-selected={selection.includes(track.clientId) || undefined}
          data-hovered={track.clientId === hovered || undefined}
          onPointerEnter={() => engine.setHover(track.clientId)}
          onClick={(event) => onSelect(track, event.ctrlKey || event.metaKey)}
        >
          <span className={classes.bar} style={{ background: labelOf.get(track.labelId)?.color }} />
          <span className={classes.number}>{numbers.get(track)}</span>
          <span className={classes.text}>{labelOf.get(track.labelId)?.name}</span>
        </button>
      ))}
    </div>
  );
};

/** Tracks over time: a row each, with its life and its keyframes. */
export function Timeline() {
  const t = useText();
  const { engine, job, deleted } = useSession();
  const all = useTracks();
  const labels = useAnnotate((state) => state.labels);
  const frame = useAnnotate((state) => state.wantedFrame);
  const selection = useSelection();
  const hovered = useHovered();
  // Another theme has other colours.
  useColorScheme();
  const [filter, setFilter] = useState('');
  const [top, setTop] = useState(0);
  const scroll = useRef<HTMLDivElement>(null);
  const { height, drag } = useHeight();
  const range: FrameRange = useMemo(() => ({ first: job.start_frame, last: job.stop_frame }), [job]);
  const {
    attach: attachRuler,
    paint: paintRuler,
    element: ruler,
    size: { width },
  } = useCanvas();
  const { attach: attachSheet, paint: paintSheet, size: sheet } = useCanvas();
  const [wanted, setView] = useState<TimeView>({ from: range.first, scale: 0 });
  const view = fitted(wanted, range, Math.max(1, width));
  const labelOf = useMemo(() => new Map(labels.map((label) => [label.id, label])), [labels]);
  const tracks = useMemo(() => filtered(all, filter, (id) => labelOf.get(id)?.name ?? ''), [all, filter, labelOf]);
  const density = useMemo(() => densityOf(all, range, deleted), [all, range, deleted]);
  const numbers = useMemo(() => new Map(all.map((track, index) => [track, index + 1])), [all]);

  // Where the frame leaves the view, the view follows.
  const [followed, setFollowed] = useState(frame);
  if (followed !== frame) {
    setFollowed(frame);
    setView(revealed(view, frame, range, width));
  }
  useRevealedRow(scroll, tracks, selection.at(-1));

  const pointer = useTimelinePointer({ tracks, view, range, top, width, setView });
  const { dragged } = pointer;
  const body = useWheel(pointer.wheel);
  const firstRow = Math.floor(top / rowHeightPx);
  const shownTracks = tracks.slice(firstRow, firstRow + Math.ceil(sheet.height / rowHeightPx) + 1);
  const offset = firstRow * rowHeightPx - top;
  useEffect(() => {
    if (ruler === null) return;
    const scene = { view, range, frame, width, palette: paletteOf(ruler), deleted };
    const rows = shownTracks.map((track): Row => ({
      track,
      color: labelOf.get(track.labelId)?.color ?? '#888888',
      isSelected: selection.includes(track.clientId),
      isHovered: track.clientId === hovered,
      moved: dragged?.track === track ? dragged : null,
    }));
    paintRuler((context) => paintHead(context, scene, density));
    paintSheet((context) => paintRows(context, rows, offset, sheet.height, scene));
  });

  const zoom = (factor: number): void =>
    setView(factor === 0 ? { from: range.first, scale: 0 } : zoomedAt(view, width / 2, factor, range, width));

  return (
    <section className={classes.dock} style={{ height }} aria-label={t('timeline.title')} data-testid="timeline">
      <Grip onDrag={drag} />
      <Head count={all.length} onZoom={zoom} />
      <div ref={body} className={classes.body}>
        <div className={classes.filter}>
          <TextInput
            size="xs"
            variant="unstyled"
            placeholder={t('timeline.filter')}
            aria-label={t('timeline.filter')}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
        </div>
        <canvas
          ref={attachRuler}
          className={classes.ruler}
          style={{ width: '100%', height: 42 }}
          role="img"
          aria-label={t('timeline.ruler')}
          data-testid="timeline-ruler"
          onPointerDown={pointer.scrub}
          onPointerMove={pointer.scrub}
        />
        <div ref={scroll} className={classes.scroll} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
          {tracks.length === 0 && (
            <div className={classes.empty}>{t(all.length === 0 ? 'timeline.none' : 'timeline.noneMatch')}</div>
          )}
          <div className={classes.sheet} style={{ height: tracks.length * rowHeightPx }}>
            <div className={classes.pane} style={{ height: Math.min(tracks.length * rowHeightPx, height - 74 - 1) }}>
              <Names
                tracks={shownTracks}
                offset={offset}
                numbers={numbers}
                labelOf={labelOf}
                onSelect={pointer.select}
              />
              <canvas
                ref={attachSheet}
                className={classes.rows}
                style={{ width: '100%', height: '100%' }}
                role="img"
                aria-label={t('timeline.rows')}
                data-testid="timeline-rows"
                onPointerDown={pointer.press}
                onPointerMove={pointer.move}
                onPointerUp={pointer.release}
                onPointerCancel={pointer.cancel}
                onPointerLeave={() => engine.setHover(null)}
                onDoubleClick={pointer.doubleClick}
              />
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}
