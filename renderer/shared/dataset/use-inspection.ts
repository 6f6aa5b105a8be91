import { useEffect, useRef, useState } from 'react';
import type { ImportPreview } from '../../../preload/contract/schema/formats.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call, wasCancelled } from '../../api/client.ts';
import { cancelRequest, waitForRequest } from '../../api/requests.ts';
import type { SentFile } from '../../api/uploads.ts';
import { readingOptions, type ImportChoice } from './import-choice.ts';

/** `preview` is the last result while a new one is loading; `waiting` means that a large file is inspected on demand. */
export interface InspectionState {
  readonly preview: ImportPreview | null;
  readonly phase: 'none' | 'waiting' | 'running' | 'done' | 'failed';
  /** 0 to 1; null if unknown. */
  readonly progress: number | null;
  readonly message: string;
}

const none: InspectionState = { preview: null, phase: 'none', progress: null, message: '' };
/** Larger files are inspected only on demand. */
const largestUnasked = 64 * 1024 * 1024;
const typingPauseMs = 250;
const busyPauseMs = 150;
/** The user waits for the labels before choosing anything. */
const longestPauseMs = 100;

const pause = (durationMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, durationMs));

async function preview(
  sent: SentFile,
  choice: ImportChoice & { readonly format: string },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (fraction: number | null) => void },
): Promise<ImportPreview | null> {
  const options = {
    format: choice.format,
    mode: 'append' as const,
    dryRun: 'inspect' as const,
    options: readingOptions(choice),
  };
  const start = async (): Promise<string> => {
    for (;;) {
      try {
        return await sent.start(options, signal);
      } catch (error) {
        // The previous inspection is still being cancelled.
        if (!(error instanceof ApiError) || error.status !== 409 || signal.aborted) throw error;
        await pause(busyPauseMs);
      }
    }
  };
  const id = await start();
  const cancel = (): void => void cancelRequest(id).catch(() => undefined);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  await waitForRequest(id, { signal, onProgress: ({ progress }) => onProgress(progress), longestPauseMs });
  signal.removeEventListener('abort', cancel);
  const report = await call('getRequestReport', { params: { id }, signal });
  return report.preview ?? null;
}

/** Inspects the file whenever a reading option changes. Nothing is written. */
export function useInspection(sent: SentFile | null, choice: ImportChoice) {
  const [state, setState] = useState<InspectionState>(none);
  const [confirmedFile, setConfirmedFile] = useState<File | null>(null);
  const seen = useRef<{ file: File | null; format: string | null }>({ file: null, format: null });
  const { file, format } = choice;
  const reading = JSON.stringify(readingOptions(choice));
  useEffect(() => {
    const isOther = seen.current.file !== file || seen.current.format !== format;
    seen.current = { file, format };
    if (file === null || format === null || sent === null) return setState(none);
    if (file.size > largestUnasked && confirmedFile !== file) return setState({ ...none, phase: 'waiting' });
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: Partial<InspectionState>): void => {
      if (!signal.aborted) setState((now) => ({ ...now, ...next }));
    };
    show({ phase: 'running', progress: null, message: '', ...(isOther ? { preview: null } : {}) });
    const look = async (): Promise<void> => {
      if (!isOther) await pause(typingPauseMs);
      if (signal.aborted) return;
      try {
        const onProgress = (progress: number | null): void => show({ progress });
        show({ preview: await preview(sent, { ...choice, format }, { signal, onProgress }), phase: 'done' });
      } catch (error) {
        if (!wasCancelled(error)) show({ preview: null, phase: 'failed', message: messageOf(error) });
      }
    };
    void look();
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- labels and the mode do not change what the file holds
  }, [sent, file, format, reading, confirmedFile]);
  return { state, ask: () => setConfirmedFile(file) };
}
