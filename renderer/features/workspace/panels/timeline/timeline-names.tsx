import { useSyncExternalStore } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { TrackRecord } from '../../../../canvas/types.ts';
import { keepFocus } from '../../commands/focus.ts';
import { useSession } from '../session-context.ts';
import { rowHeightPx } from './timeline-view.ts';
import classes from './timeline.module.css';
import { useSelection } from '../scene-hooks.ts';

export function useHovered(): string | null {
  const { engine } = useSession();
  return useSyncExternalStore((changed) => engine.on('hover', changed), engine.getHover);
}

interface NamesProps {
  readonly tracks: readonly TrackRecord[];
  /** Top of the first row, pixels. */
  readonly offset: number;
  readonly numberOf: (track: TrackRecord) => number | undefined;
  readonly labelOf: ReadonlyMap<number, Label>;
  readonly onSelect: (track: TrackRecord, adds: boolean) => void;
}

export const Names = ({ tracks, offset, numberOf, labelOf, onSelect }: NamesProps) => {
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
          <span className={classes.number}>{numberOf(track)}</span>
          <span className={classes.text}>{labelOf.get(track.labelId)?.name}</span>
        </button>
      ))}
    </div>
  );
};
