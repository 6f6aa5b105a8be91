import type { reviewOperations } from '../../../preload/contract/operations/review.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

export function createReviewHandlers({
  issues,
  guides,
}: Pick<Core, 'issues' | 'guides'>): HandlersOf<typeof reviewOperations> {
  return {
    listIssues: listHandler(issues.listIssues),
    createIssue: ({ actor, body }) => issues.createIssue(actor, body),
    getIssue: ({ actor, params }) => issues.getIssue(actor, params.id),
    updateIssue: ({ actor, params, body }) => issues.updateIssue(actor, params.id, body),
    deleteIssue: ({ actor, params }) => issues.removeIssue(actor, params.id),
    listComments: listHandler(issues.listComments),
    createComment: ({ actor, body }) => issues.createComment(actor, body),
    getComment: ({ actor, params }) => issues.getComment(actor, params.id),
    updateComment: ({ actor, params, body }) => issues.updateComment(actor, params.id, body),
    deleteComment: ({ actor, params }) => issues.removeComment(actor, params.id),
    createGuide: ({ actor, body }) => guides.create(actor, body),
    getGuide: ({ actor, params }) => guides.get(actor, params.id),
    updateGuide: ({ actor, params, body }) => guides.update(actor, params.id, body),
    deleteGuide: ({ actor, params }) => guides.remove(actor, params.id),
    deleteAsset: ({ actor, params }) => guides.removeAsset(actor, params.uuid),
  };
}
