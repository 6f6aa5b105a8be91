import type { Actor } from '../../users/access/actor.ts';
import type { UserRepository } from '../../users/accounts/user-repository.ts';
import type { WorkAccess } from '../work-access.ts';
import type { AnnotationChangeNotice, AnnotationFeed } from './annotation-feed.ts';

export interface SentChange {
  readonly job: number;
  readonly version: string;
  /** Null: any frame may have changed. */
  readonly frames: readonly number[] | null;
  readonly tracks: boolean;
  readonly user: { readonly id: number; readonly username: string } | null;
}

export interface Listening {
  readonly jobId: number;
  /** The version that the listener has seen. */
  readonly after: string | null;
  /** Changes made by this window are not sent to it. */
  readonly window: string | null;
  readonly tell: (news: SentChange) => void;
  /** Called when the server closes, or when the listener may no longer see the job. */
  readonly end: () => void;
}

export type AnnotationListening = ReturnType<typeof createAnnotationListening>;

export function createAnnotationListening(
  access: Pick<WorkAccess, 'job'>,
  users: Pick<UserRepository, 'get'>,
  news: AnnotationFeed,
) {
  const present = ({ jobId, number, frames, tracks, userId }: AnnotationChangeNotice): SentChange => {
    const user = userId === null ? undefined : users.get(userId);
    const version = news.version(number);
    return { job: jobId, version, frames, tracks, user: user ? { id: user.id, username: user.username } : null };
  };

  return {
    /**
     * @returns the current version, whether nothing after `after` is missing, and a function that stops listening
     * @throws AppError 403, 404; 503 if there are too many listeners
     */
    listen(actor: Actor, { jobId, after, window, tell, end }: Listening) {
      const look = () => access.job(actor, jobId, 'view:annotations');
      look();
      const hear = (heard: AnnotationChangeNotice): void => {
        if (window !== null && heard.window === window) return;
        try {
          look();
        } catch {
          end();
          return;
        }
        tell(present(heard));
      };
      const version = news.version();
      const { isComplete, missed, stop } = news.listen(jobId, after, hear, end);
      return { version, isComplete, stop, replay: () => missed.forEach(hear) };
    },
    close: news.close,
  };
}
