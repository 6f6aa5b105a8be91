import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Asset, Guide, guidePatchSchema, guideWriteSchema } from '../../../preload/contract/schema/review.ts';
import { probeImage } from '../../media/probe.ts';
import { moveIntoPlace } from '../../platform/durable-files.ts';
import { AppError, invalidField, notFound, orNotFound } from '../../platform/errors.ts';
import { requireAllowed, type AccessFacts } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { presentUser } from '../../users/accounts/present.ts';
import type { AssetRow, GuideRepository, GuideRow } from './guide-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

const maxAssetBytes = 10 * 1024 * 1024;
const maxAssets = 30;
/** Image formats that cannot contain scripts. Others are not served, because any user may write a guide. */
const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

const present = (row: GuideRow): Guide => ({
  id: row.id,
  task_id: row.task_id,
  project_id: row.project_id,
  created_date: row.created_date,
  updated_date: row.updated_date,
  markdown: row.markdown,
});

const presentAsset = (row: AssetRow, baseUrl: string): Asset => ({
  uuid: row.uuid,
  filename: row.filename,
  created_date: row.created_date,
  owner: presentUser(row, 'owner', baseUrl),
  guide_id: row.guide_id,
});

export function createGuideService(
  dependencies: Pick<
    WorkServiceDependencies,
    'database' | 'projects' | 'tasks' | 'access' | 'dataDirectory' | 'clock'
  > & {
    readonly guides: GuideRepository;
  },
) {
  const { database, guides, projects, tasks, access, dataDirectory, clock } = dependencies;
  const assetFile = (uuid: string) => join(dataDirectory, 'data', 'assets', uuid);

  function facts(actor: Actor, projectId: number | null, taskId: number | null): AccessFacts | null {
    const project = projectId === null ? undefined : projects.get(projectId);
    if (project) return access.facts.project(actor, project);
    const task = taskId === null ? undefined : tasks.get(taskId);
    return task ? access.facts.task(actor, task) : null;
  }

  function open(actor: Actor, id: number, action: 'view' | 'update' | 'delete'): GuideRow {
    const row = guides.get(id);
    const known = row && facts(actor, row.project_id, row.task_id);
    if (!row || !known) throw notFound();
    const jobAssignee = guides.hasJob(actor.userId, row) ? actor.userId : null;
    requireAllowed(actor, 'guide', action, { ...known, people: { ...known.people, jobAssignee } });
    return row;
  }

  function openAsset(actor: Actor, uuid: string, action: 'view' | 'update'): AssetRow {
    const row = orNotFound(guides.asset(uuid));
    open(actor, row.guide_id, action);
    return row;
  }

  return {
    get: (actor: Actor, id: number): Guide => present(open(actor, id, 'view')),
    create(actor: Actor, body: z.output<typeof guideWriteSchema>): Guide {
      const projectId = body.project_id ?? null;
      const taskId = body.task_id ?? null;
      if ((projectId === null) === (taskId === null)) {
        throw invalidField('non_field_errors', 'A guide belongs to a project or a task: send one of their ids.');
      }
      const known = facts(actor, projectId, taskId);
      if (!known) throw invalidField(projectId === null ? 'task_id' : 'project_id', 'object does not exist.');
      requireAllowed(actor, 'guide', 'create', known);
      if (guides.exists(projectId, taskId)) throw invalidField('non_field_errors', 'A guide already exists.');
      const id = database.write(() => guides.insert(projectId, taskId, body.markdown, clock()));
      return present(open(actor, id, 'view'));
    },
    update(actor: Actor, id: number, body: z.output<typeof guidePatchSchema>): Guide {
      const row = open(actor, id, 'update');
      for (const place of ['project_id', 'task_id'] as const)
        if (body[place] !== undefined && body[place] !== row[place])
          throw invalidField(place, 'A guide cannot be moved. Create one there, and delete this one.');
      if (body.limner_based_on !== undefined && body.limner_based_on !== row.updated_date) {
        const message = 'Cannot save the guide: another user saved it after you opened it. Their version was kept.';
        throw new AppError('conflict', message);
      }
      guides.update(id, body.markdown ?? row.markdown, clock());
      return present(open(actor, id, 'view'));
    },
    async remove(actor: Actor, id: number): Promise<void> {
      open(actor, id, 'delete');
      const files = guides.assets(id).map(assetFile);
      guides.remove(id);
      await Promise.all(files.map((file) => rm(file, { force: true })));
    },

    async addAsset(actor: Actor, guideId: number, upload: { path: string; name: string }): Promise<Asset> {
      open(actor, guideId, 'update');
      if (guides.assets(guideId).length >= maxAssets) {
        throw invalidField('guide_id', `A guide can have at most ${maxAssets} images. Delete one first.`);
      }
      if ((await stat(upload.path)).size > maxAssetBytes)
        throw invalidField('file', 'An image can have at most 10 MB.');
      const { format } = await probeImage(upload.path, { name: upload.name });
      const contentType = contentTypes[format];
      if (contentType === undefined)
        throw invalidField('file', 'Only PNG, JPEG, WebP and GIF images can be displayed.');
      const row: AssetRow = {
        uuid: randomUUID(),
        guide_id: guideId,
        filename: upload.name.slice(-200),
        content_type: contentType,
        owner_id: actor.userId,
        created_date: clock(),
      };
      await moveIntoPlace(upload.path, assetFile(row.uuid));
      guides.insertAsset(row);
      return presentAsset(openAsset(actor, row.uuid, 'view'), actor.baseUrl);
    },
    asset(actor: Actor, uuid: string): { file: string; contentType: string } {
      const row = openAsset(actor, uuid, 'view');
      return { file: assetFile(row.uuid), contentType: row.content_type };
    },
    async removeAsset(actor: Actor, uuid: string): Promise<void> {
      const row = openAsset(actor, uuid, 'update');
      guides.removeAsset(row.uuid);
      await rm(assetFile(row.uuid), { force: true });
    },
  };
}
