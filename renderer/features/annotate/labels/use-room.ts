import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How many chips stand in the bar's only line: those after them are wrapped out of sight. */
export function useRoom(count: number) {
  const chips = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(count);
  const measure = useCallback((): void => {
    const host = chips.current;
    if (host === null) return;
    const inLine = [...host.children].filter(
      (chip) => chip instanceof HTMLElement && chip.offsetTop - host.offsetTop < host.clientHeight,
    );
    setShown(inLine.length);
  }, []);
  // Each time other labels, or another one in front, are shown.
  useLayoutEffect(measure);
  useEffect(() => {
    if (chips.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(chips.current);
    return () => observer.disconnect();
  }, [measure]);
  return { chips, shown };
}
