import { AppError } from '../../platform/errors.ts';

/** How a caller proved who it is. */
export type Credentials =
  | { readonly kind: 'session'; readonly keyHash: string; readonly csrfToken: string }
  | { readonly kind: 'token' }
  | { readonly kind: 'access-token'; readonly id: number; readonly readOnly: boolean }
  | { readonly kind: 'basic' };

export const accessTokenMayNot = (what: string) =>
  new AppError('forbidden', `An access token may not ${what}. Sign in with your password.`);
