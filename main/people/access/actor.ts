import type { OrganizationRole } from '../../../preload/contract/schema/people.ts';
import type { ListRequest } from '../../db/filters.ts';
import type { Group } from './access-table.ts';
import { AppError } from '../../platform/errors.ts';

/** Who asks, and in which organization's context. Every service method takes one. */
export interface Actor {
  readonly userId: number;
  readonly username: string;
  readonly group: Group;
  /** `all`: no context was named; `personal`: `org=` was empty. The role is null for an admin who is no member. */
  readonly organization:
    | { readonly kind: 'all' }
    | { readonly kind: 'personal' }
    | { readonly kind: 'one'; readonly id: number; readonly role: OrganizationRole | null };
  /** How the caller proved who it is; a token with `readOnly` may only read. */
  readonly readOnly: boolean;
  /** Where the caller reached the service, for example `http://127.0.0.1:8080`: answers carry absolute URLs. */
  readonly baseUrl: string;
}

export interface Listing<Row> {
  readonly count: number;
  readonly results: Row[];
}

export type { ListRequest };

/** How a caller proved who it is. */
export type Credentials =
  | { readonly kind: 'session'; readonly keyHash: string; readonly csrfToken: string }
  | { readonly kind: 'token' }
  | { readonly kind: 'access-token'; readonly id: number; readonly readOnly: boolean }
  | { readonly kind: 'basic' };

export const accessTokenMayNot = (what: string) =>
  new AppError('forbidden', `An access token may not ${what}. Sign in with your password.`);
