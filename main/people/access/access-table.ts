import type { OrganizationRole } from '../../../preload/contract/schema/people.ts';

/** System groups, the least first. An admin passes everything and appears in no row. */
export type Group = 'worker' | 'user' | 'admin';

/** How a person may stand to an object, or to what it belongs to. */
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

/** Under which terms a row lets a caller pass. A row without any place lets nobody pass but admins. */
export interface AccessTerms {
  /** The caller must stand in one of these relations; without it, everybody does. */
  readonly who?: readonly Relation[];
  /** For objects outside organizations: the least group. */
  readonly sandbox?: Group;
  /** For objects of an organization: the least group, and the least role in that organization. */
  readonly organization?: readonly [Group, OrganizationRole];
  /** For objects of an organization, and callers of exactly this group who are no members of it. */
  readonly outsider?: Group;
  /** Wherever the object is: the least group. */
  readonly anywhere?: Group;
  /** Roles that may be touched: the present one of a membership as well as the one that is given. */
  readonly roles?: readonly OrganizationRole[];
  /** Not for a membership that waits for its invitation to be accepted. */
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
 * Who may do what: for each kind of object the rows of which one must let the caller pass. `access-rules.ts` reads it
 * for single objects and `scope.ts` turns its `view` rows into the conditions of lists, so that both always agree.
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
  /** `owner` and `assignee` are those of the project or task that the guide is for. */
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
  /** The organization is one that both belong to. */
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
    // Who deploys functions commands the Engine, and with it this computer.
    rule(['manage'], adminsOnly),
  ],
} as const satisfies Readonly<Record<string, readonly AccessRow[]>>;

export type Resource = keyof typeof accessTable;
export type ActionOf<Kind extends Resource> = (typeof accessTable)[Kind][number]['actions'][number];
