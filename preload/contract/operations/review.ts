import { z } from 'zod';
import { equalTo, listQuery, pageSchema, related } from '../schema/common.ts';
import * as review from '../schema/review.ts';
import { operation } from '../operation.ts';

const issueOperations = {
  listIssues: operation.get('/api/issues', 'Issues that reviewers opened', {
    query: listQuery({
      // The project is Limner's own.
      ...equalTo('assignee', 'frame_id', 'job_id', 'owner', 'project_id', 'resolved', 'task_id'),
      ...related('job', 'task'),
    }),
    output: pageSchema(review.issueSchema),
  }),
  createIssue: operation.post('/api/issues', 'Open an issue with its first comment', {
    body: review.issueWriteSchema,
    output: review.issueSchema,
  }),
  getIssue: operation.get('/api/issues/{id}', 'One issue', { output: review.issueSchema }),
  updateIssue: operation.patch('/api/issues/{id}', 'Move, assign, resolve or reopen an issue', {
    body: review.issuePatchSchema,
    output: review.issueSchema,
  }),
  deleteIssue: operation.delete('/api/issues/{id}', 'Delete an issue with its comments'),
} as const;

const commentOperations = {
  listComments: operation.get('/api/comments', 'Comments on issues', {
    query: listQuery({
      ...equalTo('frame_id', 'issue_id', 'job_id', 'owner'),
      ...related('issue', 'job'),
    }),
    output: pageSchema(review.commentSchema),
  }),
  createComment: operation.post('/api/comments', 'Comment on an issue', {
    body: review.commentWriteSchema,
    output: review.commentSchema,
  }),
  getComment: operation.get('/api/comments/{id}', 'One comment', { output: review.commentSchema }),
  updateComment: operation.patch('/api/comments/{id}', 'Change the text of a comment', {
    body: review.commentPatchSchema,
    output: review.commentSchema,
  }),
  deleteComment: operation.delete('/api/comments/{id}', 'Delete a comment'),
} as const;

const guideOperations = {
  createGuide: operation.post('/api/guides', 'Write the guide of a project or task', {
    body: review.guideWriteSchema,
    output: review.guideSchema,
  }),
  getGuide: operation.get('/api/guides/{id}', 'One guide', { output: review.guideSchema }),
  updateGuide: operation.patch('/api/guides/{id}', 'Change a guide', {
    body: review.guidePatchSchema,
    output: review.guideSchema,
  }),
  deleteGuide: operation.delete('/api/guides/{id}', 'Delete a guide with its assets'),
  deleteAsset: operation.delete('/api/assets/{uuid}', 'Delete a picture of a guide', {
    params: z.object({ uuid: z.uuid() }),
  }),
} as const;

export const reviewOperations = { ...issueOperations, ...commentOperations, ...guideOperations } as const;
