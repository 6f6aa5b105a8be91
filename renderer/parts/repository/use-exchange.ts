import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { GitBinding, GitConflict, GitHost } from '../../../preload/contract/schema/git.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { gitCalls, type GitOwner } from '../../api/git-calls.ts';
import { gitQueries } from '../../api/git-queries.ts';
import { useText } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';
import { differenceText } from './difference-text.ts';

export type Decision = 'mine' | 'theirs' | 'both';
export interface Decided {
  readonly uid: string;
  readonly decision: Decision;
}

interface Access {
  readonly key_id?: number;
  readonly passphrase?: string;
}
/** What is being asked for; it goes on after the server was confirmed. */
type Wish =
  | { readonly kind: 'pull'; readonly access: Access; readonly decisions: readonly Decided[] }
  | { readonly kind: 'push'; readonly access: Access; readonly message: string };

export type Exchange = ReturnType<typeof useExchange>;

/** Pull and push of a task or project. A server that was not confirmed is asked about before anything is sent to it. */
export function useExchange(owner: GitOwner, { address }: GitBinding) {
  const t = useText();
  const client = useQueryClient();
  const [host, setHost] = useState<{ found: GitHost; wish: Wish } | null>(null);
  const [conflicts, setConflicts] = useState<{ shown: readonly GitConflict[]; count: number } | null>(null);
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
        if (found.state !== 'confirmed') return setHost({ found, wish });
      }
      if (wish.kind === 'push') {
        const body = { ...wish.access, message: wish.message };
        const { changed, commit } = await gitCalls.push(owner, body, signal);
        return say(commit === null ? '' : differenceText(t, changed), 'git.pushed', 'git.pushedNothing');
      }
      const body = { ...wish.access, decisions: [...wish.decisions] };
      const pulled = await gitCalls.pull(owner, body, signal);
      if (pulled.conflict_count > 0) return setConflicts({ shown: pulled.conflicts, count: pulled.conflict_count });
      decided.current.clear();
      setConflicts(null);
      return say(differenceText(t, pulled.changed), 'git.pulled', 'git.pulledNothing');
    },
    onError: (error, { kind }) => {
      if (stop.current?.signal.aborted !== true)
        notify.failure(t(kind === 'pull' ? 'git.pullFailed' : 'git.pushFailed'), messageOf(error));
    },
    onSettled: () => client.invalidateQueries({ queryKey: gitQueries.place(owner) }),
  });

  const say = (what: string, done: 'git.pulled' | 'git.pushed', nothing: 'git.pulledNothing' | 'git.pushedNothing') =>
    notify.success(what === '' ? t(nothing) : t(done, { what }));

  return {
    isSsh: !address.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(address),
    running: run.isPending ? run.variables.kind : null,
    conflicts,
    host: host?.found ?? null,
    pull: (given: Access): void => run.mutate({ kind: 'pull', access: given, decisions: [] }),
    push: (given: Access, message: string, onPushed: () => void): void =>
      run.mutate({ kind: 'push', access: given, message }, { onSuccess: onPushed }),
    cancel: (): void => stop.current?.abort(),
    /** Pulls again with these and all earlier decisions. */
    decide(given: readonly Decided[]): void {
      for (const one of given) decided.current.set(one.uid, one);
      run.mutate({ kind: 'pull', access: access.current, decisions: [...decided.current.values()] });
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
