import type { BasicUser } from '../../../preload/contract/schema/common.ts';

export function userName(user: Pick<BasicUser, 'username' | 'first_name' | 'last_name'>): string {
  const full = `${user.first_name} ${user.last_name}`.trim();
  return full === '' ? user.username : full;
}
