import type { LabeledData, SubTrack } from '../../../preload/contract/schema/annotations.ts';
import type { Page } from '../../../preload/contract/schema/common.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import type { Comment, Guide, Issue } from '../../../preload/contract/schema/review.ts';
import type { TestClient } from '../../support/client.ts';

type Attributes = readonly { spec_id: number; value: string }[];

/** All answers of the service about a task, without ids, dates and addresses: equal for a task and its copy. */
export async function describeTask(client: TestClient, id: number) {
  const task = await client.task(id);
  const labels = await client.labels(id);
  const names = namesOf(labels);
  const jobs = (await client.jobs(id)).toSorted((a, b) => a.id - b.id);
  const meta = await client.meta('tasks', id);
  return {
    task: {
      name: task.name,
      mode: task.mode,
      subset: task.subset,
      bug_tracker: task.bug_tracker,
      status: task.status,
      size: task.size,
      overlap: task.overlap,
      segment_size: task.segment_size,
      chunk_size: task.data_chunk_size,
      image_quality: task.image_quality,
    },
    labels: labels.map((label) => ({ ...plainLabel(label), sublabels: label.sublabels.map(plainLabel) })),
    meta: {
      ...meta,
      chunks_updated_date: undefined,
      storage: undefined,
    },
    jobs: await Promise.all(jobs.map((job) => describeJob(client, job, names))),
    annotations: plainAnnotations(await client.annotations('tasks', id), names),
    guide: await describeGuide(client, task.guide_id),
  };
}

function namesOf(labels: readonly Label[]) {
  const label = new Map<number, string>();
  const attribute = new Map<number, string>();
  for (const one of labels.flatMap((parent) => [parent, ...parent.sublabels])) {
    label.set(one.id, one.name);
    for (const spec of one.attributes) attribute.set(spec.id, spec.name);
  }
  return { label, attribute };
}
type Names = ReturnType<typeof namesOf>;

const plainLabel = ({ name, color, type, attributes, svg }: Label | Label['sublabels'][number]) => ({
  name,
  color,
  type,
  svg,
  attributes: attributes.map(({ id: _id, ...rest }) => rest),
});

async function describeJob(client: TestClient, job: Job, names: Names) {
  const issues = await client.good<Page<Issue>>('GET', '/api/issues', {
    query: { job_id: job.id, page_size: 'all', sort: 'id' },
  });
  const comments = await client.good<Page<Comment>>('GET', '/api/comments', {
    query: { job_id: job.id, page_size: 'all', sort: 'id' },
  });
  const meta = await client.meta('jobs', job.id);
  return {
    type: job.type,
    stage: job.stage,
    state: job.state,
    start_frame: job.start_frame,
    stop_frame: job.stop_frame,
    frame_count: job.frame_count,
    included_frames: meta.included_frames,
    deleted_frames: meta.deleted_frames,
    annotations: plainAnnotations(await client.annotations('jobs', job.id), names),
    issues: issues.results.map(({ frame, position, resolved, owner, created_date }) => ({
      frame,
      position,
      resolved,
      owner: owner?.username,
      created_date,
    })),
    comments: comments.results.map(({ message, owner, created_date }) => ({
      message,
      owner: owner?.username,
      created_date,
    })),
  };
}

function plainAnnotations(data: LabeledData, { label, attribute }: Names) {
  const values = (attributes: Attributes) =>
    attributes.map(({ spec_id, value }) => [attribute.get(spec_id) ?? `spec ${spec_id}`, value]);
  const plain = <Item extends { id?: number | undefined; label_id: number; attributes: Attributes }>(item: Item) => ({
    ...item,
    id: undefined,
    label_id: label.get(item.label_id) ?? `label ${item.label_id}`,
    attributes: values(item.attributes),
  });
  const track = (one: SubTrack) => ({
    ...plain(one),
    shapes: one.shapes.map((shape) => ({ ...shape, id: undefined, attributes: values(shape.attributes) })),
  });
  return {
    tags: data.tags.map(plain),
    shapes: data.shapes.map((shape) => ({ ...plain(shape), elements: shape.elements.map(plain) })),
    tracks: data.tracks.map((one) => ({ ...track(one), elements: one.elements.map(track) })),
  };
}

async function describeGuide(client: TestClient, guideId: number | null) {
  if (guideId === null) return null;
  const { markdown } = await client.good<Guide>('GET', `/api/guides/${guideId}`);
  const uuids = [...markdown.matchAll(/\/api\/assets\/([0-9a-f-]{36})/g)].map((match) => match[1] ?? '');
  const pictures = await Promise.all(
    uuids.map(async (uuid) => (await client.bytes(`/api/assets/${uuid}`)).toString('base64')),
  );
  return { markdown: markdown.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid'), pictures };
}
