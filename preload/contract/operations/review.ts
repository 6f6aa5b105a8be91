import { z } from 'zod';
import { equality, idParams, listQuery, pageSchema, related } from '../schema/common.ts';
import * as review from '../schema/review.ts';
import { operation } from '../operation.ts';

const issueOperations = {
  listIssues: operation({
    method: 'GET',
    path: '/api/issues',
    tag: 'issues',
    summary: 'Issues that reviewers opened',
    status: 200,
    query: listQuery({
      assignee: equality,
      frame_id: equality,
      job_id: equality,
      owner: equality,
      resolved: equality,
      task_id: equality,
      ...related('job', 'task'),
    }),
    output: pageSchema(review.issueSchema),
  }),
  createIssue: operation({
    method: 'POST',
    path: '/api/issues',
    tag: 'issues',
    summary: 'Open an issue with its first comment',
    status: 201,
    body: review.issueWriteSchema,
    output: review.issueSchema,
  }),
  getIssue: operation({
    method: 'GET',
    path: '/api/issues/{id}',
    tag: 'issues',
    summary: 'One issue',
    status: 200,
    params: idParams,
    output: review.issueSchema,
  }),
  updateIssue: operation({
    method: 'PATCH',
    path: '/api/issues/{id}',
    tag: 'issues',
    summary: 'Move, assign, resolve or reopen an issue',
    status: 200,
    params: idParams,
    body: review.issuePatchSchema,
    output: review.issueSchema,
  }),
  deleteIssue: operation({
    method: 'DELETE',
    path: '/api/issues/{id}',
    tag: 'issues',
    summary: 'Delete an issue with its comments',
    status: 204,
    params: idParams,
  }),
} as const;

const commentOperations = {
  listComments: operation({
    method: 'GET',
    path: '/api/comments',
    tag: 'comments',
    summary: 'Comments on issues',
    status: 200,
    query: listQuery({
      frame_id: equality,
      issue_id: equality,
      job_id: equality,
      owner: equality,
      ...related('issue', 'job'),
    }),
    output: pageSchema(review.commentSchema),
  }),
  createComment: operation({
    method: 'POST',
    path: '/api/comments',
    tag: 'comments',
    summary: 'Comment on an issue',
    status: 201,
    body: review.commentWriteSchema,
    output: review.commentSchema,
  }),
  getComment: operation({
    method: 'GET',
    path: '/api/comments/{id}',
    tag: 'comments',
    summary: 'One comment',
    status: 200,
    params: idParams,
    output: review.commentSchema,
  }),
  updateComment: operation({
    method: 'PATCH',
    path: '/api/comments/{id}',
    tag: 'comments',
    summary: 'Change the text of a comment',
    status: 200,
    params: idParams,
    body: review.commentPatchSchema,
    output: review.commentSchema,
  }),
  deleteComment: operation({
    method: 'DELETE',
    path: '/api/comments/{id}',
    tag: 'comments',
    summary: 'Delete a comment',
    status: 204,
    params: idParams,
  }),
} as const;

const guideOperations = {
  createGuide: operation({
    method: 'POST',
    path: '/api/guides',
    tag: 'guides',
    summary: 'Write the guide of a project or task',
    status: 201,
    body: review.guideWriteSchema,
    output: review.guideSchema,
  }),
  getGuide: operation({
    method: 'GET',
    path: '/api/guides/{id}',
    tag: 'guides',
    summary: 'One guide',
    status: 200,
    params: idParams,
    output: review.guideSchema,
  }),
  updateGuide: operation({
    method: 'PATCH',
    path: '/api/guides/{id}',
    tag: 'guides',
    summary: 'Change a guide',
    status: 200,
    params: idParams,
    body: review.guidePatchSchema,
    output: review.guideSchema,
  }),
  deleteGuide: operation({
    method: 'DELETE',
    path: '/api/guides/{id}',
    tag: 'guides',
    summary: 'Delete a guide with its assets',
    status: 204,
    params: idParams,
  }),
  deleteAsset: operation({
    method: 'DELETE',
    path: '/api/assets/{uuid}',
    tag: 'assets',
    summary: 'Delete a picture of a guide',
    status: 204,
    params: z.object({ uuid: z.uuid() }),
  }),
} as const;

export const reviewOperations = { ...issueOperations, ...commentOperations, ...guideOperations } as const;
