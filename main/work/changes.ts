import type { Changes } from '../db/changes.ts';

/** Changes to projects, tasks, jobs, issues and comments that listeners can observe. */
export type WorkChanges = Changes<'project' | 'task' | 'job' | 'issue' | 'comment'>;
