import { describe, expect, test } from 'vitest';
import { isAllowed, type AccessFacts } from '../../../main/users/access/access-rules.ts';
import {
  accessTable,
  type ActionOf,
  type Group,
  type Relation,
  type Resource,
} from '../../../main/users/access/access-table.ts';
import { organizationRoles, type OrganizationRole } from '../../../preload/contract/schema/people.ts';

const groups: readonly Group[] = ['worker', 'user', 'admin'];
const roles: readonly (OrganizationRole | null)[] = [null, ...organizationRoles];

/**
 * The published permission matrix of the service API: kind, actions | who passes in a sandbox | who passes in an
 * organization. A term is a relation or `anybody`, then `:group` and `/role` if more than the minimum is needed. Admins
 * pass everything. `–` means no one.
 */
const matrix = `
project create import:backup           | anybody:user                     | anybody:user/supervisor
project view                           | owner assignee                   | anybody:user/maintainer owner assignee
project update import:dataset          | owner assignee                   | anybody:user/maintainer owner assignee
project update:assignee                | owner                            | anybody:user/maintainer owner
project update:owner                   | –                                | anybody:user/maintainer
project update:storages update:organization delete | owner                            | anybody:user/maintainer owner
project export:dataset export:annotations export:backup | owner assignee  | anybody:user/maintainer owner assignee/supervisor
task create import:backup              | anybody:user                     | anybody:user/supervisor
task create@project                    | projectOwner:user projectAssignee:user | anybody:user/supervisor projectOwner:user projectAssignee:user
task view view:data view:metadata view:annotations view:validation_layout | owner assignee projectOwner projectAssignee | anybody:user/maintainer owner assignee projectOwner projectAssignee
task update upload:data update:metadata update:annotations delete:annotations import:annotations update:validation_layout | owner assignee projectOwner projectAssignee | anybody:user/maintainer owner assignee projectOwner projectAssignee
task update:owner update:assignee update:project update:organization delete | owner projectOwner projectAssignee | anybody:user/maintainer owner projectOwner projectAssignee
task update:storages                   | owner projectOwner               | anybody:user/maintainer owner projectOwner
task export:dataset export:annotations export:backup | owner assignee projectOwner projectAssignee | anybody:user/maintainer owner projectOwner assignee/supervisor projectAssignee/supervisor
job create delete                      | taskOwner:user taskAssignee:user projectOwner:user projectAssignee:user | anybody:user/maintainer taskOwner:user/supervisor taskAssignee:user/supervisor projectOwner:user/supervisor projectAssignee:user/supervisor
job view view:data view:metadata view:annotations | assignee taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer outsider assignee taskOwner taskAssignee projectOwner projectAssignee
job update:state update:metadata update:annotations delete:annotations import:annotations | assignee taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer outsider assignee taskOwner taskAssignee projectOwner projectAssignee
job update:stage update:assignee view:validation_layout update:validation_layout | taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer taskOwner taskAssignee projectOwner projectAssignee
job export:dataset export:annotations  | assignee taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer taskOwner projectOwner assignee/supervisor taskAssignee/supervisor projectAssignee/supervisor
issue create@job                       | jobAssignee taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer jobAssignee taskOwner taskAssignee projectOwner projectAssignee
issue view update                      | owner assignee jobAssignee taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer owner assignee jobAssignee taskOwner taskAssignee projectOwner projectAssignee
issue delete                           | owner taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer owner taskOwner taskAssignee projectOwner projectAssignee
comment create@issue                   | issueOwner issueAssignee jobAssignee taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer issueOwner issueAssignee jobAssignee taskOwner taskAssignee projectOwner projectAssignee
comment view update delete             | owner issueOwner issueAssignee jobAssignee taskOwner taskAssignee projectOwner projectAssignee | anybody:user/maintainer owner issueOwner issueAssignee jobAssignee taskOwner taskAssignee projectOwner projectAssignee
guide view                             | owner assignee jobAssignee projectOwner projectAssignee | anybody:user/maintainer owner assignee jobAssignee projectOwner projectAssignee
guide create update delete             | owner:user assignee:user         | anybody:user/maintainer owner:user assignee:user
webhook create@project                 | projectOwner                     | anybody:user/maintainer projectOwner
webhook create@organization            | –                                | anybody:user/maintainer
webhook view update delete             | owner projectOwner               | anybody:user/maintainer owner projectOwner
cloudstorage create                    | anybody:user                     | anybody:user/maintainer
cloudstorage view                      | owner                            | anybody:user/supervisor owner
cloudstorage update delete             | owner                            | anybody:user/maintainer owner
organization create                    | anybody:user                     | anybody:user stranger:user
organization view                      | owner                            | anybody owner stranger-owner
organization update                    | owner                            | anybody/maintainer stranger-owner
organization delete                    | owner                            | owner stranger-owner
user view                              | self                             | anybody stranger-self
user update:name delete                | self                             | self stranger-self
user update:email update:permissions reset:password | –                   | –
request view cancel download           | owner                            | owner stranger-owner
server view                            | anybody                          | anybody stranger
server list:content                    | anybody:user                     | anybody:user stranger:user
event send dump                        | anybody                          | anybody stranger
function view call:online call:offline | anybody                          | anybody stranger
function manage                        | –                                | –
`;

interface Term {
  readonly who: Relation | 'anybody';
  readonly group: Group;
  /** Null for non-members. */
  readonly role: OrganizationRole | null;
  readonly isExact: boolean;
}

function parseTerm(text: string): Term {
  const [, name = '', group = 'worker', role = 'worker'] = /^([\w-]+)(?::(\w+))?(?:\/(\w+))?$/.exec(text) ?? [];
  const [isStranger, who] = [name.startsWith('stranger'), name.replace(/^stranger-?/, '') || 'anybody'];
  if (name === 'outsider') return { who: 'assignee', group: 'worker', role: null, isExact: true };
  return {
    who: who as Term['who'],
    group: group as Group,
    role: isStranger ? null : (role as OrganizationRole),
    isExact: false,
  };
}

const parseTerms = (text: string): Term[] =>
  text
    .trim()
    .split(/\s+/)
    .filter((term) => term !== '–')
    .map(parseTerm);

const lines = matrix
  .trim()
  .split('\n')
  .map((line) => {
    const [what = '', sandbox = '', organization = ''] = line.split('|');
    const [kind = '', ...actions] = what.trim().split(/\s+/);
    return { kind: kind as Resource, actions, sandbox: parseTerms(sandbox), organization: parseTerms(organization) };
  });

const relations: readonly (Relation | null)[] = [
  null,
  'owner',
  'assignee',
  'projectOwner',
  'projectAssignee',
  'taskOwner',
  'taskAssignee',
  'jobAssignee',
  'issueOwner',
  'issueAssignee',
  'invitee',
  'self',
];

function isExpected(
  terms: readonly Term[],
  group: Group,
  role: OrganizationRole | null | 'none',
  who: Relation | null,
) {
  if (group === 'admin') return true;
  return terms.some((term) => {
    if (term.who !== 'anybody' && term.who !== who) return false;
    if (term.isExact) return group === term.group && role === null;
    if (groups.indexOf(group) < groups.indexOf(term.group)) return false;
    return (
      role === 'none' ||
      term.role === null ||
      organizationRoles.indexOf(role as never) >= organizationRoles.indexOf(term.role)
    );
  });
}

const me = 7;
const facts = (
  role: OrganizationRole | null | 'none',
  who: Relation | null,
  more: Partial<AccessFacts> = {},
): AccessFacts => ({
  organizationId: role === 'none' ? null : 3,
  role: role === 'none' ? null : role,
  people: who === null ? { owner: 8, assignee: null } : { owner: 8, [who]: me },
  ...more,
});
const ask = (kind: Resource, action: string, group: Group, known: AccessFacts): boolean =>
  // The matrix is text; the table refuses unknown actions.
  isAllowed({ userId: me, group }, kind, action as ActionOf<typeof kind>, known);

describe('permissions over three system groups, four roles and no role, and every relation', () => {
  test.each(lines.map((line) => [`${line.kind} ${line.actions.join(', ')}`, line] as const))('%s', (_, line) => {
    const wrong: string[] = [];
    for (const action of line.actions) {
      for (const group of groups) {
        for (const who of relations) {
          for (const role of ['none', ...roles] as const) {
            const terms = role === 'none' ? line.sandbox : line.organization;
            const expected = isExpected(terms, group, role, who);
            if (ask(line.kind, action, group, facts(role, who)) !== expected) {
              wrong.push(`${action}: ${group}, ${role}, ${who} should ${expected ? 'pass' : 'be refused'}`);
            }
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('the matrix and the tests below contain every action', () => {
    const known = new Set(lines.flatMap(({ kind, actions }) => actions.map((action) => `${kind} ${action}`)));
    const missing = (Object.keys(accessTable) as Resource[])
      .filter((kind) => kind !== 'membership' && kind !== 'invitation')
      .flatMap((kind) => accessTable[kind].flatMap(({ actions }) => actions.map((action) => `${kind} ${action}`)))
      .filter((name) => !known.has(name));
    expect(missing).toEqual([]);
  });
});

describe('memberships', () => {
  const may = (
    action: ActionOf<'membership'>,
    group: Group,
    role: OrganizationRole | null,
    more: Partial<AccessFacts>,
  ) => ask('membership', action, group, facts(role, null, more));
  const own = { people: { self: me } };

  test('a role is changed by the owner below owner, by maintainers below maintainer', () => {
    const passing: string[] = [];
    for (const role of roles) {
      for (const from of organizationRoles) {
        for (const to of organizationRoles) {
          if (may('change:role', 'user', role, { roles: [from, to] })) passing.push(`${role}: ${from} to ${to}`);
        }
      }
    }
    const low = ['worker', 'supervisor'];
    const middle = [...low, 'maintainer'];
    const pairs = (list: string[], by: string) => list.flatMap((from) => list.map((to) => `${by}: ${from} to ${to}`));
    expect(passing.sort()).toEqual([...pairs(low, 'maintainer'), ...pairs(middle, 'owner')].sort());
    expect(may('change:role', 'worker', 'owner', { roles: ['worker', 'supervisor'] })).toBe(false);
    expect(may('change:role', 'user', 'owner', {})).toBe(false);
  });

  test('all except the owner may leave', () => {
    for (const group of ['worker', 'user'] as const) {
      expect(may('delete', group, 'worker', { ...own, roles: ['worker'] })).toBe(true);
      expect(may('delete', group, 'maintainer', { ...own, roles: ['maintainer'] })).toBe(true);
      expect(may('delete', group, 'owner', { ...own, roles: ['owner'] })).toBe(false);
      expect(may('delete', group, 'worker', { roles: ['worker'] })).toBe(false);
    }
  });

  test('pending ones are visible to maintainers only', () => {
    expect(may('view', 'worker', 'worker', {})).toBe(true);
    expect(may('view', 'worker', null, {})).toBe(false);
    expect(may('view', 'worker', null, own)).toBe(true);
    expect(may('view', 'user', 'supervisor', { isPending: true })).toBe(false);
    expect(may('view', 'user', null, { ...own, isPending: true })).toBe(false);
    expect(may('view', 'worker', 'maintainer', { isPending: true })).toBe(true);
  });
});

describe('invitations', () => {
  test('which role may invite to which role', () => {
    const passing: string[] = [];
    for (const group of ['worker', 'user'] as const) {
      for (const role of roles) {
        for (const given of organizationRoles) {
          if (ask('invitation', 'create', group, facts(role, null, { roles: [given] }))) {
            passing.push(`${group} ${role}: ${given}`);
          }
        }
      }
    }
    expect(passing.sort()).toEqual(
      [
        'user maintainer: worker',
        'user maintainer: supervisor',
        'user owner: worker',
        'user owner: supervisor',
        'user owner: maintainer',
      ].sort(),
    );
  });

  test('are accepted and declined by the invited one, sent again and deleted by the sender and maintainers', () => {
    const may = (
      action: ActionOf<'invitation'>,
      role: OrganizationRole | null,
      who: Relation | null,
      group: Group = 'user',
    ) => ask('invitation', action, group, facts(role, who, { people: who ? { [who]: me } : {} }));
    for (const action of ['accept', 'decline'] as const) {
      expect(may(action, null, 'invitee', 'worker')).toBe(true);
      expect(may(action, 'owner', 'owner')).toBe(false);
    }
    for (const action of ['resend', 'delete'] as const) {
      expect(may(action, null, 'owner', 'worker')).toBe(true);
      expect(may(action, 'maintainer', null)).toBe(true);
      expect(may(action, 'maintainer', null, 'worker')).toBe(false);
      expect(may(action, null, 'invitee')).toBe(false);
    }
    expect(may('view', null, null)).toBe(false);
    expect(may('view', 'supervisor', null)).toBe(false);
    expect(may('view', null, 'invitee', 'worker')).toBe(true);
  });
});

test('a user unrelated to an object is never treated as the owner of one without an owner', () => {
  const ownerless = { organizationId: null, role: null, people: { owner: null, assignee: null } };
  expect(ask('project', 'view', 'user', ownerless)).toBe(false);
  expect(ask('project', 'view', 'user', { organizationId: null, role: null })).toBe(false);
});
