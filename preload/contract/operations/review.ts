import { z } from 'zod';
import { equalTo, related } from '../schema/common.ts';
import * as review from '../schema/review.ts';
import { collection, operation } from '../operation.ts';

const issues = collection('/api/issues', review.issueSchema);
const issueOperations = {
  listIssues: issues.list('Issues from reviews', {
    // `project_id` is a Limner extension.
    ...equalTo('assignee', 'frame_id', 'job_id', 'owner', 'project_id', 'resolved', 'task_id'),
    ...related('job', 'task'),
  }),
  createIssue: issues.create('Open an issue with its first comment', review.issueWriteSchema),
  getIssue: issues.get('One issue'),
  updateIssue: issues.update('Move, assign, resolve or reopen an issue', review.issuePatchSchema),
  deleteIssue: issues.delete('Delete an issue with its comments'),
} as const;

const comments = collection('/api/comments', review.commentSchema);
const commentOperations = {
  listComments: comments.list('Comments on issues', {
    ...equalTo('frame_id', 'issue_id', 'job_id', 'owner'),
    ...related('issue', 'job'),
  }),
  createComment: comments.create('Comment on an issue', review.commentWriteSchema),
  getComment: comments.get('One comment'),
  updateComment: comments.update('Change the text of a comment', review.commentPatchSchema),
  deleteComment: comments.delete('Delete a comment'),
} as const;

const guides = collection('/api/guides', review.guideSchema);
const guideOperations = {
  createGuide: guides.create('Create the guide of a project or task', review.guideWriteSchema),
  getGuide: guides.get('One guide'),
  updateGuide: guides.update('Change a guide', review.guidePatchSchema),
  deleteGuide: guides.delete('Delete a guide with its assets'),
  deleteAsset: operation.delete('/api/assets/{uuid}', 'Delete an image of a guide', {
    params: z.object({ uuid: z.uuid() }),
  }),
} as const;

export const reviewOperations = { ...issueOperations, ...commentOperations, ...guideOperations } as const;
