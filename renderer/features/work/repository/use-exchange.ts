import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type {
  GitBinding,
  GitConflict,
  GitCopyChanges,
  GitHost,
  GitLoss,
} from '../../../../preload/contract/schema/git.ts';
import { call } from '../../../api/client.ts';
import { gitCalls, type GitOwner } from '../../../api/git-calls.ts';
import { gitQueries } from '../../../api/git-queries.ts';
import { useText } from '../../../i18n/index.ts';
import type { Decided } from '../../../shared/conflicts/conflicts.tsx';
import { notify } from '../../../ui/notify.ts';
import { differenceText } from './copy-changes.tsx';

interface Access {
  readonly key_id?: number;
  readonly passphrase?: string;
}
type Copy = 'ask' | 'take' | 'leave';
type Wish =
  | { readonly kind: 'pull'; readonly access: Access; readonly decisions: readonly Decided[]; readonly copy: Copy }
  | { readonly kind: 'push'; readonly access: Access; readonly message: string; readonly accepts: boolean };

export type Exchange = ReturnType<typeof useExchange>;

/** Pull and push of a task or project. An unknown server must be confirmed before anything is sent. */
export function useExchange(owner: GitOwner, { address, format }: GitBinding) {
  const t = useText();
  const client = useQueryClient();
  const [host, setHost] = useState<{ found: GitHost; wish: Wish } | null>(null);
  const [conflicts, setConflicts] = useState<{ shown: readonly GitConflict[]; count: number } | null>(null);
  const [copies, setCopies] = useState<readonly GitCopyChanges[]>([]);
  const [losses, setLosses] = useState<{ found: readonly GitLoss[]; wish: Wish & { kind: 'push' } } | null>(null);
  const copy = useRef<Copy>('ask');
  const decided = useRef(new Map<string, Decided>());
  const access = useRef<Access>({});
  const stop = useRef<AbortController | null>(null);

  const run = useMutation({
    mutationFn: async (wish: Wish) => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      access.current = wish.access;
      if (!address.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(address)) {
        const found = await call('getGitHost', { query: { address }, signal });
        if (found.state !== 'confirmed') {
          setHost({ found, wish });
          return false;
        }
      }
      if (wish.kind === 'push') {
        const body = { ...wish.access, message: wish.message, accept_losses: wish.accepts };
        const pushed = await gitCalls.push(owner, body, signal);
        if (pushed.needs_acceptance) {
          setLosses({ found: pushed.losses, wish });
          return false;
        }
        const what = differenceText(t, pushed.changed);
        if (pushed.commit === null) notify.success(t('git.pushedNothing'));
        else notify.success(what === '' ? t('git.pushedCopy') : t('git.pushed', { what }));
        return true;
      }
      const body = { ...wish.access, decisions: [...wish.decisions], copy: wish.copy };
      const pulled = await gitCalls.pull(owner, body, signal);
      setCopies(pulled.copies);
      setConflicts(pulled.conflict_count > 0 ? { shown: pulled.conflicts, count: pulled.conflict_count } : null);
      if (pulled.copies.length > 0 || pulled.conflict_count > 0) return false;
      decided.current.clear();
      const what = differenceText(t, pulled.changed);
      notify.success(what === '' ? t('git.pulledNothing') : t('git.pulled', { what }));
      return true;
    },
    onError: (error, { kind }) => {
      if (stop.current?.signal.aborted !== true)
        notify.failure(t(kind === 'pull' ? 'git.pullFailed' : 'git.pushFailed'), error);
    },
    // Not awaited: the list of decisions is already on screen and must not move when the progress disappears.
    onSettled: () => void client.invalidateQueries({ queryKey: gitQueries.place(owner) }),
  });

  return {
    isSsh: !address.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(address),
    running: run.isPending ? run.variables.kind : null,
    conflicts,
    copies,
    losses: losses === null ? null : { format: format ?? '', found: losses.found },
    host: host?.found ?? null,
    pull(given: Access): void {
      copy.current = 'ask';
      run.mutate({ kind: 'pull', access: given, decisions: [], copy: 'ask' });
    },
    push: (given: Access, message: string, onPushed: () => void): void =>
      run.mutate(
        { kind: 'push', access: given, message, accepts: false },
        { onSuccess: (isDone) => void (isDone && onPushed()) },
      ),
    acceptLosses(): void {
      if (losses === null) return;
      setLosses(null);
      run.mutate({ ...losses.wish, accepts: true });
    },
    leaveLosses: (): void => setLosses(null),
    cancel: (): void => stop.current?.abort(),
    decide(given: readonly Decided[]): void {
      for (const one of given) decided.current.set(one.uid, one);
      run.mutate({
        kind: 'pull',
        access: access.current,
        decisions: [...decided.current.values()],
        copy: copy.current,
      });
    },
    decideOnCopy(given: 'take' | 'leave'): void {
      copy.current = given;
      run.mutate({ kind: 'pull', access: access.current, decisions: [], copy: given });
    },
    async confirmHost(fingerprint: string): Promise<void> {
      if (host === null) return;
      await call('confirmGitHost', { body: { address, fingerprint } });
      setHost(null);
      run.mutate(host.wish);
    },
    leaveHost: (): void => setHost(null),
  };
}
