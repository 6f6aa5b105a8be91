import type { LambdaAnswer, LambdaFunction } from '../../../preload/contract/schema/functions.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { ModelProblem, type ModelDescription, type ModelKind } from '../configuration/model-description.ts';
import { AppError, ForwardedError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationService } from '../../work/annotations/annotation-service.ts';
import type { JobRepository, JobRow } from '../../work/tables/job-repository.ts';
import { labelOwner, type LabelRepository } from '../../work/tables/label-repository.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import type { TaskRepository, TaskRow } from '../../work/tables/task-repository.ts';
import type { FunctionCatalog } from '../catalog/function-catalog.ts';
import type { FunctionDecoders } from '../records/function-model-files.ts';
import { modelOf } from '../records/function-record.ts';
import { detectorCall, type DetectorAnswer } from './detector-call.ts';
import { functionPayload, optionalNumber } from './function-payload.ts';
import { fillObjects } from './object-attributes.ts';
import { placeInteraction } from './interactor-answer.ts';
import { badRequest, forwarded } from './lambda-errors.ts';
import { isShownTo, type Model, type ModelCaller } from './model-caller.ts';
import { interactNatively, isNative, trackNatively, type NativeCall } from './native-prompts.ts';
import { intoRegion, parseRegion, readFrameImage, requireInside, type FrameImage, type Region } from './region.ts';
import { missing, trackerAnswer, trackerFields, type TrackerStates } from './tracker-call.ts';

type Body = Readonly<Record<string, unknown>>;

export interface LambdaDependencies {
  readonly annotations: Pick<AnnotationService, 'readTask' | 'readJob'>;
  readonly catalog: Pick<FunctionCatalog, 'list'>;
  readonly models: ModelCaller;
  readonly frames: FrameService;
  readonly labels: LabelRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly states: TrackerStates;
  readonly decoders: FunctionDecoders;
  readonly log: Logger;
}

export interface LambdaTarget {
  readonly task: TaskRow;
  readonly job: JobRow | null;
}

export function createLambdaCallService(dependencies: LambdaDependencies) {
  const { catalog, models, log } = dependencies;
  return {
    /** Functions that are not models are skipped and logged. */
    async list(actor: Actor): Promise<LambdaFunction[]> {
      requireAllowed(actor, 'function', 'view', noFacts);
      try {
        return (await catalog.list()).flatMap((provided) => {
          if (!isShownTo(actor, provided)) return [];
          const model = modelOf(provided);
          if (!(model instanceof ModelProblem)) return [presentModel(model)];
          log.warn('A function is not a model', { function: provided.name, reason: model.message });
          return [];
        });
      } catch (error) {
        throw forwarded(error);
      }
    },
    async get(actor: Actor, id: string): Promise<LambdaFunction> {
      requireAllowed(actor, 'function', 'view', noFacts);
      return presentModel((await models.find(id, actor)).description);
    },
    /** Returns annotations, an interaction, tracked shapes or matches, depending on the kind of function. */
    async call(actor: Actor, id: string, body: Body, signal?: AbortSignal): Promise<LambdaAnswer> {
      requireAllowed(actor, 'function', 'call:online', noFacts);
      const model = await models.find(id, actor);
      const target = findTarget(dependencies, id, body);
      const range = openRange(dependencies, actor, target);
      await readFramesOf(dependencies, range, body);
      const call = { ...dependencies, actor, model, target, range, body, signal };
      const answer = await callers[model.description.kind](call);
      if (Array.isArray(answer)) return answer as unknown[];
      if (typeof answer === 'object' && answer !== null) return { ...answer };
      throw new ForwardedError(500, `The function "${id}" returned neither an object nor a list.`);
    },
  };
}

/** Reads the frames that the body names, if their folder was listed only. The call checks their numbers. */
async function readFramesOf({ frames }: LambdaDependencies, range: FrameRange, body: Body): Promise<void> {
  const named = ['frame', 'frame0', 'frame1'].map((name) => Number(body[name] ?? -1));
  const within = named.filter((frame) => Number.isSafeInteger(frame) && frame >= range.first && frame <= range.last);
  const included = within.filter((frame) => range.included?.includes(frame) !== false);
  for (const frame of included) await frames.prepared(range, frame);
}

interface Call extends LambdaDependencies {
  readonly actor: Actor;
  readonly model: Model;
  readonly target: LambdaTarget;
  readonly range: FrameRange;
  readonly body: Body;
  readonly signal: AbortSignal | undefined;
}

const callers: Readonly<Record<ModelKind, (call: Call) => Promise<unknown>>> = {
  detector: callDetector,
  interactor: callInteractor,
  tracker: callTracker,
  reid: callReid,
};

async function callDetector(call: Call): Promise<unknown> {
  const { model, log } = call;
  const { data, problems } = await (call.body['fill'] === 'objects' ? fillIn(call) : detect(call));
  const { id } = model.description;
  if (problems.length > 0) log.warn('Results of a function were dropped', { function: id, problems });
  // An extra field; CVAT's clients ignore it.
  return problems.length > 0 ? { ...data, problems } : data;
}

const fillIn = (call: Call): Promise<DetectorAnswer> => {
  const { target, body } = call;
  const place = { task: target.task.id, job: target.job?.id ?? null, frame: frameNumber(call, 'frame') };
  return fillObjects(call, { ...call, ...place, labels: labelsOf(call, target.task), mapping: body['mapping'] });
};

async function detect(call: Call): Promise<DetectorAnswer> {
  const { model, body, frames, range, target, signal } = call;
  const { read, body: bodyOf } = detectorCall(model, {
    category: 'interactive',
    range,
    labels: labelsOf(call, target.task),
    task: target.task.id,
    frame: frameNumber(call, 'frame'),
    region: parseRegion(body['roi'], 'detector'),
    threshold: optionalNumber('threshold', body['threshold']) ?? null,
    masksToPolygons: wantsPolygons(body),
    mapping: body['mapping'],
  });
  return read(await callFunction(call, await bodyOf(frames, signal)), frames);
}

export const wantsPolygons = (body: Body): boolean =>
  body['conv_mask_to_poly'] === true || body['convMaskToPoly'] === true;

async function callInteractor(call: Call): Promise<unknown> {
  const { body, model } = call;
  for (const name of ['pos_points', 'neg_points']) {
    if (!Array.isArray(body[name])) throw missing(model.description.id, name);
  }
  const region = parseRegion(body['roi'], 'interactor');
  const frame = frameNumber(call, 'frame');
  const prompts = body['text_prompts'];
  const fields = {
    pos_points: intoRegion(body['pos_points'], region),
    neg_points: intoRegion(body['neg_points'], region),
    obj_bbox: intoRegion(body['obj_bbox'], region) ?? null,
    text_prompts: Array.isArray(prompts) && prompts.length > 0 ? prompts : undefined,
    threshold: optionalNumber('threshold', body['threshold']),
  };
  if (isNative(model)) {
    const size = call.frames.frame(call.range, frame);
    requireInside(region, size);
    return placeInteraction(await interactNatively(nativeCall(call, frame), region, fields), region, size);
  }
  const image = await frameImage(call, frame, region);
  return placeInteraction(await interaction(call, image, region, fields), region, image);
}

/**
 * Returns the function's answer, or the mask that its decoder computes from features. The function is not called if the
 * features of the image are cached.
 */
async function interaction(
  call: Call,
  image: FrameImage,
  region: Region | null,
  fields: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { decoders, model, signal } = call;
  const { id } = model.description;
  const size = region ?? image;
  const decode = async (blob: string | null) => {
    try {
      return await decoders.mask(id, image.bytes, size, blob, fields, signal);
    } catch (error) {
      throw forwarded(error);
    }
  };
  if (decoders.has(id) && decoders.known(id, image.bytes)) return decode(null);
  const answer = await callFunction(call, functionPayload({ image: image.bytes }, fields));
  const blob: unknown = Reflect.get(Object(answer), 'blob');
  return typeof blob === 'string' && decoders.has(id) ? decode(blob) : answer;
}

async function callTracker(call: Call): Promise<unknown> {
  const { body, model, states } = call;
  const { description } = model;
  parseRegion(body['roi'], 'tracker');
  const frame = frameNumber(call, 'frame');
  const fields = trackerFields(description, body, states);
  const threshold = optionalNumber('threshold', body['threshold']);
  const answer = isNative(model)
    ? await trackNatively(nativeCall(call, frame), { ...fields, threshold })
    : await callFunction(
        call,
        functionPayload({ image: (await frameImage(call, frame, null)).bytes }, { ...fields, threshold }),
      );
  return trackerAnswer(description, answer, states);
}

async function callReid(call: Call): Promise<unknown> {
  const { body, model } = call;
  parseRegion(body['roi'], 'reid');
  const [first, second] = [frameNumber(call, 'frame0'), frameNumber(call, 'frame1')];
  for (const name of ['boxes0', 'boxes1']) {
    if (!Array.isArray(body[name])) throw missing(model.description.id, name);
  }
  const images = {
    image0: (await frameImage(call, first, null)).bytes,
    image1: (await frameImage(call, second, null)).bytes,
  };
  const fields = {
    boxes0: body['boxes0'],
    boxes1: body['boxes1'],
    max_distance: optionalNumber('max_distance', body['max_distance']),
    threshold: optionalNumber('threshold', body['threshold']),
  };
  return callFunction(call, functionPayload(images, fields));
}

const nativeCall = ({ models, model, target, signal }: Call, frame: number): NativeCall => ({
  models,
  model,
  task: target.task.id,
  frame,
  signal,
});

function callFunction({ models, model, signal }: Call, payload: Buffer[]): Promise<unknown> {
  return models.call(model, payload, signal);
}

function frameImage(call: Call, frame: number, region: Region | null): Promise<FrameImage> {
  const { frames, range, model, signal } = call;
  return readFrameImage(frames, range, frame, { region, formats: model.description.imageFormats, signal });
}

/** @throws ForwardedError 400 for a frame outside the task or job */
function frameNumber({ body, model, range, target }: Call, name: string): number {
  const value = body[name];
  if (value === undefined || value === null) throw missing(model.description.id, name);
  const frame = Number(value);
  const isThere =
    Number.isSafeInteger(frame) &&
    frame >= range.first &&
    frame <= range.last &&
    (range.included === null || range.included.includes(frame));
  if (isThere) return frame;
  throw badRequest(
    target.job ? 'The frame is outside the job range' : `There is no frame ${String(value)} in the task`,
  );
}

export const labelsOf = (
  { labels }: Pick<LambdaDependencies, 'labels'>,
  { id, project_id: projectId }: TaskRow,
): Label[] => labels.list(labelOwner(projectId, id));

/** Finds the task, or the job and its task. @throws ForwardedError 400 */
export function findTarget(
  { tasks, jobs }: Pick<LambdaDependencies, 'tasks' | 'jobs'>,
  id: string,
  body: Body,
): LambdaTarget {
  const wrong = (reason: string) => badRequest(`\`${id}\` lambda function was run with wrong arguments (${reason})`);
  const number = (name: string): number | null => {
    const value = body[name];
    if (value === undefined || value === null) return null;
    const found = Number(value);
    if (!Number.isSafeInteger(found) || found < 0) throw wrong(`${name} is not a number`);
    return found;
  };
  const [taskId, jobId] = [number('task'), number('job')];
  const job = jobId === null ? null : (jobs.get(jobId) ?? null);
  if (jobId !== null && job === null) throw wrong(`job ${jobId} does not exist`);
  if (job !== null && taskId !== null && job.task_id !== taskId) throw badRequest('Job task ID does not match task ID');
  const wanted = job?.task_id ?? taskId;
  if (wanted === null) throw wrong('a task or a job is needed');
  const task = tasks.get(wanted);
  if (!task) throw wrong(`task ${wanted} does not exist`);
  return { task, job };
}

/** Frames of the target, if the actor may see its data. @throws AppError 403; ForwardedError 400 without data */
export function openRange(
  { frames }: Pick<LambdaDependencies, 'frames'>,
  actor: Actor,
  { task, job }: LambdaTarget,
): FrameRange {
  try {
    return job ? frames.ofJob(actor, job.id) : frames.ofTask(actor, task.id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') throw badRequest(error.message);
    throw error;
  }
}

/** Omits images with external URLs, because the client must not load them. */
function presentModel(model: ModelDescription): LambdaFunction {
  const { id, kind, name, description, labels, version } = model;
  const common = { id, kind, name, description, version, labels_v2: [...labels] };
  if (kind === 'interactor') {
    return {
      ...common,
      min_pos_points: model.minPosPoints,
      min_neg_points: model.minNegPoints,
      startswith_box: model.startsWithBox,
      startswith_box_optional: model.startsWithBoxOptional,
      help_message: model.helpMessage,
      animated_gif: /^(https?:)?\/\//i.test(model.animatedGif) ? '' : model.animatedGif,
    };
  }
  if (kind === 'detector') {
    return {
      ...common,
      ...(model.takesPhrases ? { takes_phrases: true } : {}),
      ...(model.fillsAttributes ? { fills_attributes: true } : {}),
    };
  }
  if (kind === 'tracker')
    return { ...common, supported_shape_types: [...(model.supportedShapeTypes ?? ['rectangle'])] };
  return common;
}
