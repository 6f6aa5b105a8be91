import type { Shape } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { ForwardedError } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationService } from '../../work/annotations/annotation-service.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import { attributesOf, type DetectorAnswer } from './detector-call.ts';
import { emptyData, inOrder, sentence, widthOf, type FrameResult } from './detector-run.ts';
import { functionPayload } from './function-payload.ts';
import { labelMapping, labelsForCall, type MappedLabel } from './label-mapping.ts';
import type { Model, ModelCaller } from './model-caller.ts';
import { readFrameImage, type Region } from './region.ts';

interface Dependencies {
  readonly annotations: Pick<AnnotationService, 'readTask' | 'readJob'>;
  readonly frames: FrameService;
  readonly models: Pick<ModelCaller, 'call'>;
}

interface Input {
  readonly actor: Actor;
  readonly model: Model;
  readonly range: FrameRange;
  readonly labels: readonly Label[];
  readonly task: number;
  readonly job: number | null;
  readonly frame: number;
  readonly mapping: unknown;
  readonly signal: AbortSignal | undefined;
}

/** Vision models scale larger images down. */
const longestSide = 768;
/** Surroundings of an object help a model to recognize it. */
const margin = 0.1;
const maxProblems = 5;
/** A model answers for one object at a time, in seconds. */
const maxObjects = 100;

interface Question {
  readonly shape: Shape;
  readonly name: string;
  readonly mapped: MappedLabel;
}

interface Reply extends Question {
  readonly attributes: Shape['attributes'];
  readonly problems: readonly string[];
  readonly failure: unknown;
}

/**
 * Asks a model for the attributes of each shape on a frame. Returns the shapes for which it suggests other values, with
 * these values only.
 * @throws ForwardedError if the model cannot be called, or failed for all shapes
 */
export async function fillObjects(dependencies: Dependencies, input: Input): Promise<DetectorAnswer> {
  const { annotations } = dependencies;
  const { actor, model, labels, task, job, frame } = input;
  const own = labelsForCall(model.description, input.mapping, labels, 'objects');
  const mapping = [...labelMapping(input.mapping, own, labels)];
  const data = job === null ? annotations.readTask(actor, task, { frame }) : annotations.readJob(actor, job, { frame });
  const all = data.shapes.flatMap((shape): Question[] => {
    const [name, mapped] = mapping.find(([, { label }]) => label.id === shape.label_id) ?? [];
    return name === undefined || mapped === undefined ? [] : [{ shape, name, mapped }];
  });
  const questions = all.slice(0, maxObjects);
  const replies: Reply[] = [];
  for await (const reply of inOrder(questions, widthOf(model), (one) => asked(dependencies, input, one))) {
    replies.push(reply);
  }
  const [first] = replies;
  if (first !== undefined && replies.every(({ failure }) => failure !== null)) throw first.failure;
  const dropped = replies.flatMap(({ problems }) => problems);
  const more = dropped.length - maxProblems;
  const problems = [
    ...(all.length > maxObjects ? [tooMany(all.length)] : []),
    ...dropped.slice(0, maxProblems),
    ...(more > 0 ? [`${more} more were dropped.`] : []),
  ];
  const shapes = replies.flatMap(({ shape, attributes }) =>
    attributes.length === 0 ? [] : [{ ...withoutIds(shape), source: 'auto' as const, score: 1, attributes }],
  );
  return { data: { ...emptyData, shapes }, problems };
}

const tooMany = (count: number): string =>
  `The frame has ${count} objects to fill in. The model was asked about the first ${maxObjects}. Choose fewer labels.`;

/** The same for a frame of a batch. Failures are returned, not thrown. */
export async function fillFrame(dependencies: Dependencies, input: Input): Promise<FrameResult> {
  const { frame } = input;
  try {
    return { frame, ...(await fillObjects(dependencies, input)), failure: null };
  } catch (failure) {
    return { frame, data: null, problems: [], failure, isOfCall: true };
  }
}

async function asked(
  { frames, models }: Dependencies,
  { model, range, frame, signal }: Input,
  question: Question,
): Promise<Reply> {
  const { shape, name, mapped } = question;
  const object = `Object ${shape.id ?? 0} ("${mapped.label.name}")`;
  const region = surroundings(shape, frames.frame(range, frame));
  if (region === null) {
    return { ...question, attributes: [], problems: [`${object} is outside of its image.`], failure: null };
  }
  const problems: string[] = [];
  try {
    const formats = model.description.imageFormats;
    const image = await readFrameImage(frames, range, frame, { region, formats, size: longestSide, signal });
    const label = { name, type: mapped.label.type, attributes: askedAttributes(mapped) };
    const answer = await models.call(model, functionPayload({ image: image.bytes }, { object: label }), signal);
    const values = attributesOf(Object(Array.isArray(answer) ? answer[0] : null), mapped, (reason) =>
      problems.push(`${object}: a value was dropped: ${reason}`),
    );
    const now = new Map(shape.attributes.map(({ spec_id: id, value }) => [id, value]));
    const attributes = values.filter(({ spec_id: id, value }) => now.get(id) !== value);
    return { ...question, attributes, problems, failure: null };
  } catch (failure) {
    signal?.throwIfAborted();
    if (isAway(failure)) throw failure;
    return { ...question, attributes: [], problems: [`${object}: ${sentence(failure)}`], failure };
  }
}

/** The model is unreachable or stopped, so that it will not answer for other objects either. */
const isAway = (error: unknown): boolean =>
  !(error instanceof ForwardedError) || [400, 401, 403, 404, 503, 504].includes(error.status);

/** Attributes in the words of the model, with the values of the task. */
const askedAttributes = ({ attributes }: MappedLabel) =>
  [...attributes].map(([name, { input_type, values }]) => ({ name, input_type, values }));

/** Part of the image with an object, in integer pixels; null if the object is outside of the image. */
function surroundings(
  shape: Shape,
  { width, height }: { readonly width: number; readonly height: number },
): Region | null {
  const box = boundingBox(shape);
  if (box === null || box.right < 0 || box.bottom < 0 || box.left > width || box.top > height) return null;
  const [x, y] = [(box.right - box.left) * margin + 1, (box.bottom - box.top) * margin + 1];
  const left = Math.max(0, Math.floor(box.left - x));
  const top = Math.max(0, Math.floor(box.top - y));
  const [right, bottom] = [Math.min(width, Math.ceil(box.right + x)), Math.min(height, Math.ceil(box.bottom + y))];
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : null;
}

function withoutIds({ id: _id, elements, ...shape }: Shape): Shape {
  return { ...shape, elements: elements.map(({ id: _element, ...element }) => element) };
}
