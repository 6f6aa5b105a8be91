import type { Changes } from '../../db/changes.ts';

/** Changes of organizations and who belongs to them, of which others may hear. */
export type MemberChanges = Changes<'organization' | 'membership' | 'invitation'>;
