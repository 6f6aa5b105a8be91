import type { Actor } from '../../people/access/actor.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { WorkAccess } from '../work-access.ts';
import type { AnnotationNews, AnnotationNewsroom } from './annotation-news.ts';

/** What a listener hears of one change. */
export interface ToldNews {
  readonly job: number;
  readonly version: string;
  /** Null: any frame may be concerned. */
  readonly frames: readonly number[] | null;
  readonly tracks: boolean;
  readonly user: { readonly id: number; readonly username: string } | null;
}

export interface Listening {
  readonly jobId: number;
  /** The version that the listener has seen. */
  readonly after: string | null;
  /** Its own changes are not told to it. */
  readonly window: string | null;
  readonly tell: (news: ToldNews) => void;
  /** The house closes, or the listener may not see the job any more. */
  readonly end: () => void;
}

export type AnnotationListening = ReturnType<typeof createAnnotationListening>;

/** Who may hear what others do to the annotations of a job. */
export function createAnnotationListening(
  access: Pick<WorkAccess, 'job'>,
  users: Pick<UserRepository, 'get'>,
  news: AnnotationNewsroom,
) {
  const present = ({ jobId, number, frames, tracks, userId }: AnnotationNews): ToldNews => {
    const user = userId === null ? undefined : users.get(userId);
    const version = news.version(number);
    return { job: jobId, version, frames, tracks, user: user ? { id: user.id, username: user.username } : null };
  };

  return {
    /**
     * @returns the version of now, whether nothing that came after `after` is missing, and how to stop
     * @throws AppError 403, 404; 503 where too many listen
     */
    listen(actor: Actor, { jobId, after, window, tell, end }: Listening) {
      const look = () => access.job(actor, jobId, 'view:annotations');
      look();
      const hear = (heard: AnnotationNews): void => {
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
