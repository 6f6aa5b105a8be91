import { useState, type DragEvent, type ReactNode } from 'react';
import type { NamedFile } from '../../api/uploads.ts';
import { useText } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';
import classes from './drop-zone.module.css';
import { filesOfDrop, openAllFound } from './found-files.ts';

interface DropZoneProps {
  readonly children: ReactNode;
  readonly label: string;
  readonly onFiles: (files: NamedFile[]) => void;
  readonly compact?: boolean;
}

/** Drop area for files and folders; drops do not reach the window. */
export function DropZone({ children, label, onFiles, compact = false }: DropZoneProps) {
  const t = useText();
  const [over, setOver] = useState(false);
  const stop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  const enter = (event: DragEvent): void => {
    stop(event);
    setOver(true);
  };
  const leave = (event: DragEvent): void => {
    stop(event);
    const { relatedTarget } = event;
    if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget))) setOver(false);
  };
  return (
    <div
      role="group"
      aria-label={label}
      className={classes.zone}
      data-over={over || undefined}
      data-compact={compact || undefined}
      data-own-drop
      onDragEnter={enter}
      onDragLeave={leave}
      onDragOver={enter}
      onDrop={(event) => {
        stop(event);
        setOver(false);
        filesOfDrop(event.dataTransfer)
          .then(openAllFound)
          .then(onFiles, (error: unknown) => notify.failure(t('drop.unread'), error));
      }}
    >
      {children}
    </div>
  );
}
