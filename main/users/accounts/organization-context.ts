import { invalidRequest, notFound } from '../../platform/errors.ts';
import { forbidden } from '../access/access-rules.ts';
import type { Actor } from '../access/actor.ts';
import type { UserRepository, UserRow } from './user-repository.ts';

/** Organization named by a request; an empty text means the personal sandbox, undefined means none. */
export interface NamedOrganization {
  /** `?org=` */
  readonly slug?: string;
  /** `?org_id=` */
  readonly id?: string;
  /** `X-Organization` */
  readonly header?: string;
  /** True if it only filters a list of the user's own objects, for which no membership is needed. */
  readonly isFilter?: boolean;
}

/**
 * The organization context of a request.
 * @throws AppError 400 if the request names two, 404 if it does not exist, 403 if the user is not a member
 */
export function organizationContext(
  users: UserRepository,
  user: UserRow,
  named: NamedOrganization,
): Actor['organization'] {
  const { slug, id, header, isFilter = false } = named;
  if (id !== undefined && (slug !== undefined || header !== undefined)) {
    throw invalidRequest('Send the organization either as "org_id", or as "org" or X-Organization, not both.');
  }
  if (slug !== undefined && header !== undefined && slug !== header) {
    throw invalidRequest('"org" and X-Organization name different organizations.');
  }
  const text = id ?? slug ?? header;
  if (text === undefined) return { kind: 'all' };
  if (text === '') return { kind: 'personal' };
  const found = id === undefined ? users.organizationId('slug', text) : users.organizationId('id', Number(id));
  if (found === undefined) throw notFound(`${text} organization does not exist.`);
  const role = users.role(found, user.id);
  if (user.group_name !== 'admin' && role === null && !isFilter) throw forbidden();
  return { kind: 'one', id: found, role };
}
