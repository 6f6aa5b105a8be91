import { expect, test } from 'vitest';
import type { ListDefinition } from '../../../main/db/filters.ts';
import { invitationList } from '../../../main/users/organizations/invitation-repository.ts';
import { membershipList } from '../../../main/users/organizations/membership-repository.ts';
import { organizationList } from '../../../main/users/organizations/organization-repository.ts';
import { requestList } from '../../../main/background-requests/request-repository.ts';
import { webhookList } from '../../../main/webhooks/store/webhook-repository.ts';
import { commentList, issueList } from '../../../main/work/issues/issue-repository.ts';
import { labelList } from '../../../main/work/tables/label-repository.ts';
import { jobList } from '../../../main/work/tables/job-table.ts';
import { projectList } from '../../../main/work/tables/project-table.ts';
import { taskList } from '../../../main/work/tables/task-table.ts';
import { operations } from '../../../preload/contract/operations/index.ts';

/** A parameter that is missing in the contract would be ignored, and the list returned unfiltered. */
test.each<[keyof typeof operations, ListDefinition]>([
  ['listProjects', projectList],
  ['listTasks', taskList],
  ['listJobs', jobList],
  ['listIssues', issueList],
  ['listComments', commentList],
  ['listLabels', labelList],
  ['listRequests', requestList],
  ['listWebhooks', webhookList],
  ['listMemberships', membershipList],
  ['listInvitations', invitationList],
  ['listOrganizations', organizationList],
])('%s accepts every field of its list', (id, { fields }) => {
  const requested = Object.entries(fields).flatMap(([name, { equality }]) => (equality === true ? [name] : []));
  const { query } = operations[id] as { readonly query: { readonly shape: object } };
  expect(Object.keys(query.shape)).toEqual(expect.arrayContaining(requested));
});
