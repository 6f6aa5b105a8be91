import { invalidRequest, notFound } from '../../platform/errors.ts';
import { forbidden } from '../access/access-rules.ts';
import type { Actor } from '../access/actor.ts';
import type { UserRepository, UserRow } from './user-repository.ts';

/** What the request names; an empty text asks for the personal sandbox, undefined says nothing. */
export interface NamedOrganization {
  /** `?org=` */
  readonly slug?: string | undefined;
  /** `?org_id=` */
  readonly id?: string | undefined;
  /** `X-Organization` */
  readonly header?: string | undefined;
  /** It only narrows a list of the user's own: one need not be a member. */
  readonly isFilter?: boolean;
}

/**
 * The organization in whose context a request runs.
 * @throws AppError 400 when the request names two, 404 when it names none that exists, 403 when the user is no member
 */
export function organizationContext(
  users: UserRepository,
  user: UserRow,
  named: NamedOrganization,
): Actor['organization'] {
  const { slug, id, header, isFilter = false } = named;
  if (id !== undefined && (slug !== undefined || header !== undefined)) {
    throw invalidRequest('Name the organization either by "org_id", or by "org" or X-Organization, not by both.');
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
