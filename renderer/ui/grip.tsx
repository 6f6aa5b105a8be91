import type { KeyboardEvent, PointerEvent } from 'react';

interface GripProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly orientation: 'horizontal' | 'vertical';
  /** Pixels, like the others. */
  readonly size: number;
  readonly least: number;
  readonly most: number;
  readonly keyStep: number;
  readonly sizeAt: (event: PointerEvent) => number;
  readonly onSize: (size: number) => void;
}

export function Grip({ label, className, orientation, size, least, most, keyStep, sizeAt, onSize }: GripProps) {
  const [larger, smaller] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  const onKeyDown = (event: KeyboardEvent): void => {
    const wanted = { [larger]: size + keyStep, [smaller]: size - keyStep, Home: most, End: least }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    onSize(wanted);
  };
  return (
    <div
      className={className}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that can be moved is a control
      tabIndex={0}
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.buttons === 1 && onSize(sizeAt(event))}
      onKeyDown={onKeyDown}
    />
  );
}
