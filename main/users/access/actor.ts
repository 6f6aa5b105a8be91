import type { OrganizationRole } from '../../../preload/contract/schema/people.ts';
import type { ListRequest } from '../../db/filters.ts';
import type { Group } from './access-table.ts';
import { AppError } from '../../platform/errors.ts';

/** Caller of a service method, with the organization context of the request. */
export interface Actor {
  readonly userId: number;
  readonly username: string;
  readonly group: Group;
  /** `all`: no context was given; `personal`: `org=` was empty. The role is null for an admin without a membership. */
  readonly organization:
    | { readonly kind: 'all' }
    | { readonly kind: 'personal' }
    | { readonly kind: 'one'; readonly id: number; readonly role: OrganizationRole | null };
  /** True for a read-only token. */
  readonly readOnly: boolean;
  /** Base URL that the caller used, for example `http://127.0.0.1:8080`: responses contain absolute URLs. */
  readonly baseUrl: string;
}

export interface Listing<Row> {
  readonly count: number;
  readonly results: Row[];
}

export type { ListRequest };

export type Credentials =
  | { readonly kind: 'session'; readonly keyHash: string; readonly csrfToken: string }
  | { readonly kind: 'token' }
  | { readonly kind: 'access-token'; readonly id: number; readonly readOnly: boolean }
  | { readonly kind: 'basic' };

export const accessTokenMayNot = (what: string) =>
  new AppError('forbidden', `An access token may not ${what}. Sign in with your password.`);
