import { renameSync, mkdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from '../../db/open.ts';
import { createGuideRepository } from '../guides/guide-repository.ts';
import { createIssueRepository } from '../issues/issue-repository.ts';
import { createUserRepository } from '../users/user-repository.ts';
import type { IssuesFile } from './backup-layout.ts';
import type { GuideContents } from './open-backup-job.ts';

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

export type BackupRestorer = ReturnType<typeof createBackupRestorer>;

/** Writes what belongs to restored tasks and projects beside their own rows: guides with pictures, and issues. */
export function createBackupRestorer(database: Database, dataDirectory: string) {
  const guides = createGuideRepository(database);
  const issues = createIssueRepository(database);
  const users = createUserRepository(database);
  const assets = join(dataDirectory, 'data', 'assets');

  return {
    /** Inside the transaction that ends the import. Takes the pictures over. */
    guide(
      owner: { readonly projectId: number | null; readonly taskId: number | null },
      guide: GuideContents,
      ownerId: number | null,
      now: string,
    ): void {
      let { markdown } = guide;
      const rows = guide.assets.flatMap((asset) => {
        const contentType = contentTypes[asset.format];
        if (contentType === undefined) return [];
        const uuid = randomUUID();
        markdown = markdown.replaceAll(asset.path, `/api/assets/${uuid}`);
        return [{ ...asset, uuid, contentType }];
      });
      const guideId = guides.insert(owner.projectId, owner.taskId, markdown, now);
      if (rows.length > 0) mkdirSync(assets, { recursive: true });
      for (const { uuid, file, path, contentType } of rows) {
        renameSync(file, join(assets, uuid));
        guides.insertAsset({
          uuid,
          guide_id: guideId,
          filename: path.slice(path.lastIndexOf('/') + 1).slice(-200),
          content_type: contentType,
          owner_id: ownerId,
          created_date: now,
        });
      }
    },
    /** `jobIds` in the order of the backup. Names of people are kept where these are known here. */
    issues(found: IssuesFile, jobIds: readonly number[], keepsAuthors: boolean): void {
      const person = (username: string | null): number | null =>
        keepsAuthors && username !== null ? (users.named(username)?.id ?? null) : null;
      for (const issue of found) {
        const id = issues.insertIssue({
          job_id: jobIds[issue.job],
          frame: issue.frame,
          position: JSON.stringify(issue.position),
          owner_id: person(issue.owner),
          assignee_id: person(issue.assignee),
          resolved: issue.resolved ? 1 : 0,
          date: issue.created_date,
          updated_date: issue.updated_date,
        });
        for (const { owner, message, created_date: created, updated_date: updated } of issue.comments) {
          issues.insertComment(id, person(owner), message, created, updated);
        }
      }
    },
  };
}
