import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import type { NamedFile } from '../../api/uploads.ts';
import classes from './drop-zone.module.css';
import { filesOfDrop } from './dropped-files.ts';

interface DropZoneProps {
  readonly children: ReactNode;
  readonly label: string;
  readonly onFiles: (files: NamedFile[]) => void;
  readonly compact?: boolean;
}

/** Drop area for files and folders; drops do not reach the window. */
export function DropZone({ children, label, onFiles, compact = false }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const stop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  const enter = (event: DragEvent, by: 1 | -1): void => {
    stop(event);
    depth.current += by;
    setOver(depth.current > 0);
  };
  return (
    <div
      role="group"
      aria-label={label}
      className={classes.zone}
      data-over={over || undefined}
      data-compact={compact || undefined}
      data-own-drop
      onDragEnter={(event) => enter(event, 1)}
      onDragLeave={(event) => enter(event, -1)}
      onDragOver={stop}
      onDrop={(event) => {
        stop(event);
        depth.current = 0;
        setOver(false);
        void filesOfDrop(event.dataTransfer).then(onFiles);
      }}
    >
      {children}
    </div>
  );
}
