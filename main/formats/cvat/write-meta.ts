import type { XmlWriter } from '../io/xml-writer.ts';
import { sourceFrame } from '../kit/find-frame.ts';
import type { FrameInfo, LabelInfo, TaskMeta } from '../kit/task-data.ts';

function writeLeaves(xml: XmlWriter, leaves: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(leaves)) xml.leaf(name, String(value));
}

/** Writes an element with values, followed by the output of `writeMore`. */
function writeElement(
  xml: XmlWriter,
  element: string,
  leaves: Readonly<Record<string, string | number>>,
  writeMore?: () => void,
): void {
  xml.open(element);
  writeLeaves(xml, leaves);
  writeMore?.();
  xml.close();
}

function writePeople(xml: XmlWriter, { owner, assignee }: TaskMeta): void {
  for (const [element, person] of Object.entries({ owner, assignee })) {
    if (person) writeElement(xml, element, { username: person.username, email: person.email });
    else xml.leaf(element, '');
  }
}

function writeLabel(xml: XmlWriter, label: LabelInfo, parent?: string): void {
  const { name, color, type, attributes, svg } = label;
  writeElement(xml, 'label', { name, color, type }, () => {
    writeElement(xml, 'attributes', {}, () => {
      for (const { name: own, mutable, input_type, default_value, values } of attributes) {
        const head = { name: own, mutable: mutable ? 'True' : 'False', input_type, default_value };
        writeElement(xml, 'attribute', { ...head, values: values.join('\n') });
      }
    });
    if (type === 'skeleton' && svg !== undefined) xml.leaf('svg', svg);
    if (parent !== undefined) xml.leaf('parent', parent);
  });
}

/** Sublabels follow their skeleton as ordinary labels. */
function writeLabels(xml: XmlWriter, labels: readonly LabelInfo[]): void {
  writeElement(xml, 'labels', {}, () => {
    for (const label of labels) {
      writeLabel(xml, label);
      for (const sublabel of label.sublabels) writeLabel(xml, sublabel, label.name);
    }
  });
}

/** `size` is a frame of the task's video, undefined for image sets. */
function writeTask(
  xml: XmlWriter,
  element: 'task' | 'job',
  meta: TaskMeta,
  size: FrameInfo | undefined,
  isInProject = false,
): void {
  const { id, name, mode, overlap, subset, frame_filter } = meta;
  const own = element === 'job' ? meta.segments.find((segment) => segment.id === id) : undefined;
  const [start, stop] = own
    ? [sourceFrame(meta, own.start), sourceFrame(meta, own.stop)]
    : [meta.start_frame, meta.stop_frame];
  const dates = { created: meta.created_date, updated: meta.updated_date };
  const writeSize = (): void => {
    if (size) writeElement(xml, 'original_size', { width: size.width, height: size.height });
  };
  xml.open(element);
  writeLeaves(xml, { id, name, size: meta.size, mode, overlap, bugtracker: meta.bug_tracker, ...dates, subset });
  writeLeaves(xml, { start_frame: start, stop_frame: stop, frame_filter });
  writeElement(xml, 'segments', {}, () => {
    for (const { id, start, stop, url } of meta.segments) writeElement(xml, 'segment', { id, start, stop, url });
  });
  writePeople(xml, meta);
  writeLabels(xml, meta.labels);
  if (element === 'task') writeSize();
  if (isInProject && meta.source !== '') xml.leaf('source', meta.source);
  xml.close();
  if (element === 'job') writeSize();
}

function writeProject(xml: XmlWriter, meta: TaskMeta, sizeOf: (task: TaskMeta) => FrameInfo | undefined): void {
  const { id, name, bug_tracker: bugtracker, created_date: created, updated_date: updated, tasks } = meta;
  writeElement(xml, 'project', { id, name, bugtracker, created, updated }, () => {
    writeElement(xml, 'tasks', {}, () => {
      for (const task of tasks) writeTask(xml, 'task', task, sizeOf(task), true);
    });
    xml.leaf('subsets', [...new Set(tasks.map(({ subset }) => subset))].join('\n'));
    writePeople(xml, meta);
    writeLabels(xml, meta.labels);
  });
}

/** Writes `meta`: the task, job or project, the dump time, and the video's name if there is one. */
export function writeMeta(xml: XmlWriter, meta: TaskMeta, sizeOf: (task: TaskMeta) => FrameInfo | undefined): void {
  xml.open('meta');
  if (meta.kind === 'project') writeProject(xml, meta, sizeOf);
  else writeTask(xml, meta.kind, meta, sizeOf(meta));
  xml.leaf('dumped', meta.dumped);
  if (meta.source !== '') xml.leaf('source', meta.source);
  xml.close();
}
