import type { XmlWriter } from '../io/xml-writer.ts';
import type { FrameInfo, LabelInfo, TaskMeta } from '../kit/task-data.ts';

type Person = TaskMeta['owner'];

function writePerson(xml: XmlWriter, name: string, person: Person): void {
  if (!person) {
    xml.leaf(name, '');
    return;
  }
  xml.open(name);
  xml.leaf('username', person.username);
  xml.leaf('email', person.email);
  xml.close();
}

function writeAttributes(xml: XmlWriter, attributes: LabelInfo['attributes']): void {
  xml.open('attributes');
  for (const { name, mutable, input_type, default_value, values } of attributes) {
    xml.open('attribute');
    xml.leaf('name', name);
    xml.leaf('mutable', mutable ? 'True' : 'False');
    xml.leaf('input_type', input_type);
    xml.leaf('default_value', default_value);
    xml.leaf('values', values.join('\n'));
    xml.close();
  }
  xml.close();
}

function writeLabel(xml: XmlWriter, label: LabelInfo, parent?: string): void {
  xml.open('label');
  xml.leaf('name', label.name);
  xml.leaf('color', label.color);
  xml.leaf('type', label.type);
  writeAttributes(xml, label.attributes);
  if (label.type === 'skeleton' && label.svg !== undefined) xml.leaf('svg', label.svg);
  if (parent !== undefined) xml.leaf('parent', parent);
  xml.close();
}

/** Sublabels stand as ordinary labels after their skeleton. */
function writeLabels(xml: XmlWriter, labels: readonly LabelInfo[]): void {
  xml.open('labels');
  for (const label of labels) {
    writeLabel(xml, label);
    for (const sublabel of label.sublabels) writeLabel(xml, sublabel, label.name);
  }
  xml.close();
}

function writeSegments(xml: XmlWriter, segments: TaskMeta['segments']): void {
  xml.open('segments');
  for (const { id, start, stop, url } of segments) {
    xml.open('segment');
    xml.leaf('id', String(id));
    xml.leaf('start', String(start));
    xml.leaf('stop', String(stop));
    xml.leaf('url', url);
    xml.close();
  }
  xml.close();
}

function writeOriginalSize(xml: XmlWriter, frame: FrameInfo | undefined): void {
  if (!frame) return;
  xml.open('original_size');
  xml.leaf('width', String(frame.width));
  xml.leaf('height', String(frame.height));
  xml.close();
}

/** `size` is a frame of the video that the task holds, undefined for image sets. */
function writeTask(
  xml: XmlWriter,
  element: 'task' | 'job',
  meta: TaskMeta,
  size: FrameInfo | undefined,
  isInProject = false,
): void {
  xml.open(element);
  xml.leaf('id', String(meta.id));
  xml.leaf('name', meta.name);
  xml.leaf('size', String(meta.size));
  xml.leaf('mode', meta.mode);
  xml.leaf('overlap', String(meta.overlap));
  xml.leaf('bugtracker', meta.bug_tracker);
  xml.leaf('created', meta.created_date);
  xml.leaf('updated', meta.updated_date);
  xml.leaf('subset', meta.subset);
  const own = element === 'job' ? meta.segments.find(({ id }) => id === meta.id) : undefined;
  const source = (frame: number) => meta.start_frame + frame * meta.frame_step;
  xml.leaf('start_frame', String(own ? source(own.start) : meta.start_frame));
  xml.leaf('stop_frame', String(own ? source(own.stop) : meta.stop_frame));
  xml.leaf('frame_filter', meta.frame_filter);
  writeSegments(xml, meta.segments);
  writePerson(xml, 'owner', meta.owner);
  writePerson(xml, 'assignee', meta.assignee);
  writeLabels(xml, meta.labels);
  if (element === 'task') writeOriginalSize(xml, size);
  if (isInProject && meta.source !== '') xml.leaf('source', meta.source);
  xml.close();
  if (element === 'job') writeOriginalSize(xml, size);
}

function writeProject(xml: XmlWriter, meta: TaskMeta, sizeOf: (task: TaskMeta) => FrameInfo | undefined): void {
  xml.open('project');
  xml.leaf('id', String(meta.id));
  xml.leaf('name', meta.name);
  xml.leaf('bugtracker', meta.bug_tracker);
  xml.leaf('created', meta.created_date);
  xml.leaf('updated', meta.updated_date);
  xml.open('tasks');
  for (const task of meta.tasks) writeTask(xml, 'task', task, sizeOf(task), true);
  xml.close();
  xml.leaf('subsets', [...new Set(meta.tasks.map(({ subset }) => subset))].join('\n'));
  writePerson(xml, 'owner', meta.owner);
  writePerson(xml, 'assignee', meta.assignee);
  writeLabels(xml, meta.labels);
  xml.close();
}

/** Writes `meta`: the task, job or project, when it was dumped, and the video's name where there is one. */
export function writeMeta(xml: XmlWriter, meta: TaskMeta, sizeOf: (task: TaskMeta) => FrameInfo | undefined): void {
  xml.open('meta');
  if (meta.kind === 'project') writeProject(xml, meta, sizeOf);
  else writeTask(xml, meta.kind, meta, sizeOf(meta));
  xml.leaf('dumped', meta.dumped);
  if (meta.source !== '') xml.leaf('source', meta.source);
  xml.close();
}
