import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { backupsQuery } from '../../../api/backup-queries.ts';
import { call } from '../../../api/client.ts';

interface Given {
  readonly file: string;
  readonly passphrase: string;
}

export interface RestoreStep {
  /** Null: the service begins anew. */
  readonly progress: number | null;
}

const pollMs = 400;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pollMs));

/** Restores, and goes into what was restored. Fails with the sentence of the service, and everything is as it was. */
export function useRestore() {
  const client = useQueryClient();
  const [step, setStep] = useState<RestoreStep | null>(null);
  const run = useMutation({
    async mutationFn({ file, passphrase }: Given) {
      const before = (await client.fetchQuery({ ...backupsQuery(), staleTime: 0 })).last?.date;
      const body = { file, ...(passphrase === '' ? {} : { passphrase }) };
      const { launch_token: token } = await call('restoreBackup', { body });
      for (;;) {
        const state = await call('getBackups', {}).catch(meanwhile);
        if (state === 'signed-out' || (state !== 'away' && isDone(state.last, before))) break;
        setStep({ progress: state === 'away' ? null : (state.running?.progress ?? null) });
        await pause();
      }
      globalThis.location.assign(`/launch?token=${encodeURIComponent(token)}`);
    },
    onSettled: () => client.invalidateQueries({ queryKey: backupsQuery().queryKey }),
  });
  return { step: run.isPending ? step : null, run };
}

/** The service ends and begins anew, with the sessions of the backup. */
function meanwhile(error: unknown): 'away' | 'signed-out' {
  if (error instanceof ApiError && error.kind === 'unreachable') return 'away';
  if (error instanceof ApiError && error.kind === 'signed-out') return 'signed-out';
  throw error;
}

type Outcome = { readonly date: string; readonly succeeded: boolean; readonly message: string } | null;

function isDone(last: Outcome, before: string | undefined): boolean {
  if (last === null || last.date === before) return false;
  if (!last.succeeded) throw new Error(last.message);
  return true;
}
