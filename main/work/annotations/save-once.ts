import { createHash } from 'node:crypto';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Database } from '../../db/open.ts';
import type { Commits } from '../../db/store/commits.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { IdempotencyRepository } from './idempotency-repository.ts';

/** One transaction for a save and its answer: a save that comes again with its key is answered as it was, not applied. */
export function createSaveOnce(dependencies: {
  readonly database: Database;
  readonly commits: Commits;
  readonly idempotency: IdempotencyRepository;
}) {
  const { database, commits, idempotency } = dependencies;
  return (key: string | undefined, actor: Actor, save: () => LabeledData): LabeledData => {
    const hash = key === undefined ? null : createHash('sha256').update(`${actor.userId} ${key}`).digest('hex');
    const saveOnce = database.transaction(() => {
      const earlier = hash === null ? undefined : idempotency.find(hash);
      if (earlier !== undefined) return JSON.parse(earlier) as LabeledData;
      const answer = save();
      if (hash !== null) idempotency.store(hash, actor.userId, JSON.stringify(answer));
      return answer;
    });
    return commits.soon(() => saveOnce.immediate());
  };
}
