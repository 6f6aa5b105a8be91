import type { OrganizationRole } from '../../../preload/contract/schema/people.ts';

/** System groups, lowest first. An admin may do everything and appears in no rule. */
export type Group = 'worker' | 'user' | 'admin';

/** Relation of a user to an object, or to its project or task. */
export type Relation =
  | 'owner'
  | 'assignee'
  | 'projectOwner'
  | 'projectAssignee'
  | 'taskOwner'
  | 'taskAssignee'
  | 'jobAssignee'
  | 'issueOwner'
  | 'issueAssignee'
  | 'invitee'
  | 'self';

/** Terms of a rule. A rule without any place allows only admins. */
export interface AccessTerms {
  /** The caller needs one of these relations; without it, no relation is needed. */
  readonly who?: readonly Relation[];
  /** For objects outside organizations: the minimum group. */
  readonly sandbox?: Group;
  /** For objects of an organization: the minimum group, and the minimum role in that organization. */
  readonly organization?: readonly [Group, OrganizationRole];
  /** For objects of an organization, and callers of exactly this group who are not members of it. */
  readonly outsider?: Group;
  /** For objects in any place: the minimum group. */
  readonly anywhere?: Group;
  /** Roles that may be changed: both the present and the new role of a membership. */
  readonly roles?: readonly OrganizationRole[];
  /** Excludes memberships whose invitation is not accepted yet. */
  readonly settled?: true;
}

export interface AccessRow<Action extends string = string> extends AccessTerms {
  readonly actions: readonly Action[];
}

const rule = <const Action extends string>(actions: readonly Action[], terms: AccessTerms): AccessRow<Action> => ({
  actions,
  ...terms,
});

const staff = (...who: Relation[]): AccessTerms => ({ who, sandbox: 'worker', organization: ['worker', 'worker'] });
const staffOfGroupUser = (...who: Relation[]): AccessTerms => ({
  who,
  sandbox: 'user',
  organization: ['user', 'worker'],
});
/** In a sandbox as staff; in an organization only with the supervisor's role. */
const supervisingStaff = (...who: Relation[]): AccessTerms => ({
  who,
  sandbox: 'worker',
  organization: ['worker', 'supervisor'],
});
const maintainers: AccessTerms = { organization: ['user', 'maintainer'] };
const supervisors: AccessTerms = { sandbox: 'user', organization: ['user', 'supervisor'] };
const adminsOnly: AccessTerms = {};

const projectStaff = ['projectOwner', 'projectAssignee'] as const;
const taskStaff = ['owner', 'assignee', ...projectStaff] as const;
const aboveJob = ['taskOwner', 'taskAssignee', ...projectStaff] as const;
const belowOwner = ['worker', 'supervisor', 'maintainer'] as const;
const belowMaintainer = ['worker', 'supervisor'] as const;

const projectExports = ['export:dataset', 'export:annotations', 'export:backup'] as const;
const taskReads = ['view', 'view:data', 'view:metadata', 'view:annotations', 'view:validation_layout'] as const;
const taskWrites = [
  'update',
  'upload:data',
  'update:metadata',
  'update:annotations',
  'delete:annotations',
  'import:annotations',
  'update:validation_layout',
] as const;
const taskMoves = ['update:owner', 'update:assignee', 'update:project', 'update:organization', 'delete'] as const;
const jobReads = ['view', 'view:data', 'view:metadata', 'view:annotations'] as const;
const jobWrites = [
  'update:state',
  'update:metadata',
  'update:annotations',
  'delete:annotations',
  'import:annotations',
] as const;
const jobExports = ['export:dataset', 'export:annotations'] as const;
const jobStaffActions = [
  'update:stage',
  'update:assignee',
  'view:validation_layout',
  'update:validation_layout',
] as const;

/**
 * Access rules: for each kind of object, a list of rules of which one must allow the caller. `access-rules.ts` applies
 * it to single objects and `scope.ts` turns its `view` rules into the conditions of lists, so that both always agree.
 */
export const accessTable = {
  project: [
    rule(['create', 'import:backup'], supervisors),
    rule(['view', 'update', 'import:dataset'], staff('owner', 'assignee')),
    rule(['update:assignee', 'update:storages', 'update:organization', 'delete', ...projectExports], staff('owner')),
    rule(projectExports, supervisingStaff('assignee')),
    rule(['view', 'update', 'import:dataset', ...projectExports], maintainers),
    rule(['update:owner', 'update:assignee', 'update:storages', 'update:organization', 'delete'], maintainers),
  ],
  task: [
    rule(['create', 'import:backup'], supervisors),
    rule(['create@project'], { organization: ['user', 'supervisor'] }),
    rule(['create@project'], staffOfGroupUser(...projectStaff)),
    rule([...taskReads, ...taskWrites], staff(...taskStaff)),
    rule(taskMoves, staff('owner', ...projectStaff)),
    rule(['update:storages'], staff('owner', 'projectOwner')),
    rule(projectExports, staff('owner', 'projectOwner')),
    rule(projectExports, supervisingStaff('assignee', 'projectAssignee')),
    rule([...taskReads, ...taskWrites, ...taskMoves, 'update:storages', ...projectExports], maintainers),
  ],
  job: [
    rule(['create', 'delete'], { who: aboveJob, sandbox: 'user', organization: ['user', 'supervisor'] }),
    rule([...jobReads, ...jobWrites], staff('assignee', ...aboveJob)),
    rule([...jobReads, ...jobWrites], { who: ['assignee'], outsider: 'worker' }),
    rule(jobStaffActions, staff(...aboveJob)),
    rule(jobExports, staff('taskOwner', 'projectOwner')),
    rule(jobExports, supervisingStaff('assignee', 'taskAssignee', 'projectAssignee')),
    rule(['create', 'delete', ...jobReads, ...jobWrites, ...jobStaffActions, ...jobExports], maintainers),
  ],
  issue: [
    rule(['create@job'], staff('jobAssignee', ...aboveJob)),
    rule(['view', 'update'], staff('owner', 'assignee', 'jobAssignee', ...aboveJob)),
    rule(['delete'], staff('owner', ...aboveJob)),
    rule(['create@job', 'view', 'update', 'delete'], maintainers),
  ],
  comment: [
    rule(['create@issue'], staff('issueOwner', 'issueAssignee', 'jobAssignee', ...aboveJob)),
    rule(['view', 'update', 'delete'], staff('owner', 'issueOwner', 'issueAssignee', 'jobAssignee', ...aboveJob)),
    rule(['create@issue', 'view', 'update', 'delete'], maintainers),
  ],
  /** `owner` and `assignee` are those of the guide's project or task. */
  guide: [
    rule(['view'], staff('owner', 'assignee', 'jobAssignee', ...projectStaff)),
    rule(['create', 'update', 'delete'], staffOfGroupUser('owner', 'assignee')),
    rule(['view', 'create', 'update', 'delete'], maintainers),
  ],
  webhook: [
    rule(['create@project'], staff('projectOwner')),
    rule(['view', 'update', 'delete'], staff('owner', 'projectOwner')),
    rule(['create@project', 'create@organization', 'view', 'update', 'delete'], maintainers),
  ],
  cloudstorage: [
    rule(['create'], { sandbox: 'user', organization: ['user', 'maintainer'] }),
    rule(['view'], staff('owner')),
    rule(['view'], { organization: ['user', 'supervisor'] }),
    rule(['update', 'delete'], staff('owner')),
    rule(['update', 'delete'], maintainers),
  ],
  /** The organization whose members decide is the object itself. */
  organization: [
    rule(['create'], { anywhere: 'user' }),
    rule(['view'], { organization: ['worker', 'worker'] }),
    rule(['view', 'update', 'delete'], { who: ['owner'], anywhere: 'worker' }),
    rule(['update'], { organization: ['worker', 'maintainer'] }),
  ],
  membership: [
    rule(['view'], { who: ['self'], anywhere: 'worker', settled: true }),
    rule(['view'], { organization: ['worker', 'worker'], settled: true }),
    rule(['view'], { organization: ['worker', 'maintainer'] }),
    rule(['change:role', 'delete'], { organization: ['user', 'owner'], roles: belowOwner }),
    rule(['change:role', 'delete'], { organization: ['user', 'maintainer'], roles: belowMaintainer }),
    rule(['delete'], { who: ['self'], organization: ['worker', 'worker'], roles: belowOwner }),
  ],
  invitation: [
    rule(['create'], { organization: ['user', 'owner'], roles: belowOwner }),
    rule(['create'], { organization: ['user', 'maintainer'], roles: belowMaintainer }),
    rule(['view', 'accept', 'decline'], { who: ['invitee'], anywhere: 'worker' }),
    rule(['view', 'resend', 'delete'], { who: ['owner'], anywhere: 'worker' }),
    rule(['view', 'resend', 'delete'], maintainers),
  ],
  user: [
    rule(['view', 'update:name', 'delete'], { who: ['self'], anywhere: 'worker' }),
    rule(['view'], { organization: ['worker', 'worker'] }),
    rule(['update:email', 'update:permissions', 'reset:password'], adminsOnly),
  ],
  request: [rule(['view', 'cancel', 'download'], { who: ['owner'], anywhere: 'worker' })],
  event: [rule(['send', 'dump'], { anywhere: 'worker' })],
  server: [rule(['view'], { anywhere: 'worker' }), rule(['list:content'], { anywhere: 'user' })],
  function: [
    rule(['view', 'call:online', 'call:offline'], { anywhere: 'worker' }),
    // Deploying functions means control of Docker Engine, and so of this computer.
    rule(['manage'], adminsOnly),
  ],
} as const satisfies Readonly<Record<string, readonly AccessRow[]>>;

export type Resource = keyof typeof accessTable;
export type ActionOf<Kind extends Resource> = (typeof accessTable)[Kind][number]['actions'][number];
