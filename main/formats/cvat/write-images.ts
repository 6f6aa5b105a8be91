import type { XmlWriter } from '../io/xml-writer.ts';
import type { ExportOptions } from '../kit/plugin.ts';
import type { Attribute, Frame, LabeledShape, Tag, TaskData, TaskMeta } from '../kit/task-data.ts';
import { elementOfShapeType, geometryProblem, writeGeometry } from './geometry.ts';
import { createLossRecorder } from './losses.ts';
import { sourceFrame } from '../kit/find-frame.ts';

export function writeAttributes(xml: XmlWriter, attributes: readonly Attribute[]): void {
  for (const { name, value } of attributes) {
    xml.open('attribute');
    xml.attribute('name', name);
    xml.text(value);
    xml.close();
  }
}

function writeGroup(xml: XmlWriter, group: number): void {
  if (group !== 0) xml.attribute('group_id', group);
}

export function flag(value: boolean | undefined): number {
  return value === true ? 1 : 0;
}

function writeElement(xml: XmlWriter, element: LabeledShape): void {
  xml.open(elementOfShapeType[element.type]);
  xml.attribute('label', element.label);
  xml.attribute('source', element.source ?? 'manual');
  xml.attribute('outside', flag(element.outside));
  xml.attribute('occluded', flag(element.occluded));
  writeGeometry(xml, element.type, element.points, element.rotation);
  writeGroup(xml, element.group);
  writeAttributes(xml, element.attributes);
  xml.close();
}

function writeShape(xml: XmlWriter, shape: LabeledShape): void {
  xml.open(elementOfShapeType[shape.type]);
  xml.attribute('label', shape.label);
  xml.attribute('source', shape.source ?? 'manual');
  if (shape.type !== 'skeleton') xml.attribute('occluded', flag(shape.occluded));
  writeGeometry(xml, shape.type, shape.points, shape.rotation);
  xml.attribute('z_order', shape.z_order);
  writeGroup(xml, shape.group);
  shape.elements?.forEach((element) => writeElement(xml, element));
  writeAttributes(xml, shape.attributes);
  xml.close();
}

function writeTag(xml: XmlWriter, tag: Tag): void {
  xml.open('tag');
  xml.attribute('label', tag.label);
  xml.attribute('source', tag.source ?? 'manual');
  writeGroup(xml, tag.group);
  writeAttributes(xml, tag.attributes);
  xml.close();
}

/** Task of a frame or object: one task of the project, or the exported task itself. */
export function taskOf(meta: TaskMeta, task_id: number | undefined): TaskMeta {
  return meta.tasks.find(({ id }) => id === task_id) ?? meta;
}

function openImage(xml: XmlWriter, meta: TaskMeta, frame: Frame): void {
  xml.open('image');
  xml.attribute('id', sourceFrame(taskOf(meta, frame.task_id), frame.frame));
  xml.attribute('name', frame.name);
  // An export that splits a task writes its frames to several subsets.
  if (meta.kind === 'project' || frame.subset !== meta.subset) xml.attribute('subset', frame.subset);
  if (meta.kind === 'project') {
    xml.attribute('task_id', frame.task_id);
  }
  xml.attribute('width', frame.width);
  xml.attribute('height', frame.height);
}

const becomesShapes = 'CVAT for images has no tracks: each visible frame of the track became a separate shape.';

/** Writes one `image` per frame with its tags and shapes. Track shapes are written as single shapes. */
export async function writeImages(
  xml: XmlWriter,
  task_data: TaskData,
  options: ExportOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { report, signal } = options;
  const losses = createLossRecorder(report);
  let done = 0;
  for (const { label } of task_data.tracks) report.dropped('track', label, becomesShapes);
  for (const frame of task_data.group_by_frame(true)) {
    signal.throwIfAborted();
    openImage(xml, task_data.meta, frame);
    for (const shape of frame.labeled_shapes) {
      if (shape.track_id !== undefined && shape.outside === true) continue;
      const problem = geometryProblem(shape.type, shape.points);
      if (problem !== undefined) {
        report.dropped(shape.type, shape.label, `A shape was left out: ${problem}.`);
        continue;
      }
      losses.plain(shape);
      writeShape(xml, shape);
      report.included(shape.type, shape.label);
      if (xml.isFull) await xml.flush();
    }
    for (const tag of frame.tags) {
      losses.attributes(tag.attributes);
      writeTag(xml, tag);
      report.included('tag', tag.label);
    }
    xml.close();
    if (xml.isFull) await xml.flush();
    done += 1;
    onProgress(done / Math.max(1, task_data.frame_count));
  }
}
