import { rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Store } from '../../../db/store.ts';
import { createDurableFiles } from '../../../platform/durable-files.ts';
import { createTextPromptRepository } from '../../../work/text-prompts/text-prompt-repository.ts';
import { createGuideRepository } from '../../../work/guides/guide-repository.ts';
import { createIssueRepository } from '../../../work/issues/issue-repository.ts';
import { createUserRepository } from '../../../users/accounts/user-repository.ts';
import type { IssuesFile } from './backup-layout.ts';
import type { GuideContents } from './inspect-backup.ts';

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Images of guides at their final paths, not yet referenced by rows. */
export interface PlacedPictures {
  /** UUID by the file that the backup was unpacked to. */
  readonly uuidOf: (file: string) => string | undefined;
  /** Deletes the images if the import fails. */
  readonly discard: () => Promise<void>;
}

/** Restores guides with images, and issues, of restored tasks and projects. */
export function createBackupRestorer(database: Store, dataDirectory: string) {
  const guides = createGuideRepository(database);
  const prompts = createTextPromptRepository(database);
  const issues = createIssueRepository(database);
  const users = createUserRepository(database);
  const assets = join(dataDirectory, 'data', 'assets');

  return {
    /** Moves the images of guides to their final paths, before the transaction that references them. */
    async placePictures(found: readonly (GuideContents | null)[]): Promise<PlacedPictures> {
      const disk = createDurableFiles();
      const places = new Map<string, string>();
      for (const { file, format } of found.flatMap((guide) => guide?.assets ?? [])) {
        if (contentTypes[format] === undefined) continue;
        places.set(file, randomUUID());
        disk.written(file);
      }
      const discard = async () => {
        for (const uuid of places.values()) await rm(join(assets, uuid), { force: true });
      };
      if (places.size === 0) return { uuidOf: () => undefined, discard };
      await disk.makeFolder(assets);
      await disk.sync();
      for (const [file, uuid] of places) await disk.rename(file, join(assets, uuid));
      await disk.sync();
      return { uuidOf: (file) => places.get(file), discard };
    },
    /** Runs in the transaction that ends the import. */
    textPrompts: prompts.put,
    /** Runs in the transaction that ends the import. */
    guide(
      owner: { readonly projectId: number | null; readonly taskId: number | null },
      guide: GuideContents,
      {
        pictures,
        ownerId,
        now,
      }: { readonly pictures: PlacedPictures; readonly ownerId: number | null; readonly now: string },
    ): void {
      let { markdown } = guide;
      const rows = guide.assets.flatMap((asset) => {
        const contentType = contentTypes[asset.format];
        const uuid = pictures.uuidOf(asset.file);
        if (contentType === undefined || uuid === undefined) return [];
        markdown = markdown.replaceAll(asset.path, `/api/assets/${uuid}`);
        return [{ ...asset, uuid, contentType }];
      });
      const guideId = guides.insert(owner.projectId, owner.taskId, markdown, now);
      for (const { uuid, path, contentType } of rows) {
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
    /** `jobIds` are in the order of the backup. Authors are kept if they are users of this server. */
    issues(found: IssuesFile, jobIds: readonly number[], keepsAuthors: boolean): void {
      const person = (username: string | null): number | null =>
        keepsAuthors && username !== null ? (users.named(username)?.id ?? null) : null;
      for (const issue of found) {
        const id = issues.insertIssue({
          job_id: jobIds[issue.job] ?? 0,
          frame: issue.frame,
          position: JSON.stringify(issue.position),
          owner_id: person(issue.owner),
          assignee_id: person(issue.assignee),
          resolved: issue.resolved ? 1 : 0,
          date: issue.created_date,
        });
        issues.touchIssue(id, issue.updated_date);
        for (const { owner, message, created_date: date, updated_date: updated } of issue.comments) {
          issues.touchComment(issues.insertComment({ issue_id: id, owner_id: person(owner), message, date }), updated);
        }
      }
    },
  };
}
