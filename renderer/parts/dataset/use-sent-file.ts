import { useEffect, useRef, useState } from 'react';
import { sendOnce, type ImportTarget, type SentFile } from '../../api/uploads.ts';

/** Sends the chosen file while the person goes on choosing; `fraction` of it, 0 to 1, is there: null where that failed. */
export function useSentFile({ kind, id }: ImportTarget, file: File | null) {
  const [sent, setSent] = useState<SentFile | null>(null);
  const [fraction, setFraction] = useState<number | null>(0);
  /** The service keeps one file of a person for a target: the one before has to be gone. */
  const forgotten = useRef(Promise.resolve());
  useEffect(() => {
    if (file === null) return;
    const next = sendOnce({ kind, id }, file, forgotten.current);
    setSent(next);
    const unwatch = next.watch(setFraction);
    return () => {
      unwatch();
      forgotten.current = next.forget();
    };
  }, [kind, id, file]);
  return { sent: sent?.file === file ? sent : null, fraction };
}
