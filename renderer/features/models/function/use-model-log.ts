import { useEffect, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { followModelLog } from '../../../api/model-calls.ts';
import { wasCancelled } from '../../../api/client.ts';
import { createLogReader, keptLines, type LogLine } from './log-lines.ts';

/** Delay before an ended log of a running function is opened again. */
const logRetryMs = 1_500;

export interface ModelLog {
  readonly lines: readonly LogLine[];
  readonly state: 'live' | 'ended' | 'lost';
  readonly problem: string;
}

const nothing: ModelLog = { lines: [], state: 'live', problem: '' };

/**
 * Streams a function's log. While the function runs, an ended stream is opened again; the old lines stay until the new
 * ones arrive.
 */
export function useModelLog(name: string, isAlive: boolean): ModelLog {
  const [log, setLog] = useState<ModelLog>(nothing);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer = 0;
    const open = async (): Promise<void> => {
      const read = createLogReader();
      let isFirst = true;
      const take = (text: string): void => {
        const fresh = read(text);
        const begins = isFirst;
        isFirst = false;
        setLog(({ lines }) => ({
          lines: (begins ? fresh : [...lines, ...fresh]).slice(-keptLines),
          state: 'live',
          problem: '',
        }));
      };
      try {
        await followModelLog(name, take, signal);
        if (!signal.aborted) setLog((before) => ({ ...before, state: 'ended' }));
      } catch (error) {
        if (signal.aborted || wasCancelled(error)) return;
        setLog((before) => ({ ...before, state: 'lost', problem: messageOf(error) }));
      }
      if (isAlive && !signal.aborted) timer = window.setTimeout(() => void open(), logRetryMs);
    };
    void open();
    return () => {
      controller.abort();
      window.clearTimeout(timer);
    };
  }, [name, isAlive]);
  return log;
}
