import type { Changes } from '../db/changes.ts';

/** Changes of work, of which others may hear. */
export type WorkChanges = Changes<'project' | 'task' | 'job' | 'issue' | 'comment'>;
