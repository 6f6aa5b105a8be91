import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { RequestCategory } from '../../../preload/contract/schema/native-functions.ts';
import { ForwardedError } from '../../platform/errors.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import { questionBody } from '../native/native-provider.ts';
import { convertDetections, type DetectorAnswer } from './detector-answer.ts';
import { functionPayload } from './function-payload.ts';
import { labelMapping } from './label-mapping.ts';
import type { Model } from './model-caller.ts';
import { frameQuestion, nativeDetections, ownNames } from './native-call.ts';
import { readFrameImage, requireInside } from './region.ts';
import type { RunParameters } from './run-parameters.ts';

type Asked = Pick<RunParameters, 'task' | 'region' | 'threshold' | 'masksToPolygons' | 'mapping'> & {
  readonly category: RequestCategory;
  readonly range: FrameRange;
  readonly labels: readonly Label[];
  readonly frame: number;
};

/** A detector's call for a frame: what is sent, and how the answer is read. Agents get no picture: they fetch it. */
export function detectorCall(
  { description, provided }: Model,
  { category, range, labels, task, frame, region, threshold, masksToPolygons, mapping: chosen }: Asked,
): {
  readonly body: (frames: FrameService, signal?: AbortSignal) => Promise<Buffer[]>;
  /** @throws ForwardedError 500 for an answer that is no detector's */
  readonly read: (answer: unknown) => DetectorAnswer;
} {
  const mapping = labelMapping(chosen, description.labels, labels);
  const options = { frame, masksToPolygons, region };
  if (provided.provider === 'native') {
    const isChosen = Object.keys(Object(chosen)).length > 0;
    const about = { category, task, threshold, labels: description.labels, mapping, isChosen };
    return {
      async body(frames) {
        requireInside(region, frames.frame(range, frame));
        return questionBody(frameQuestion({ ...options, ...about }));
      },
      read: (answer) =>
        convertDetections(nativeDetections(answer, mapping), { ...options, mapping: ownNames(mapping) }),
    };
  }
  return {
    async body(frames, signal) {
      const image = await readFrameImage(frames, range, frame, {
        region,
        formats: description.imageFormats,
        signal,
      });
      return functionPayload({ image: image.bytes }, { threshold: threshold ?? undefined });
    },
    read(answer) {
      const found = convertDetections(answer, { ...options, mapping });
      if (!Array.isArray(answer)) throw new ForwardedError(500, found.problems.join(' '));
      return found;
    },
  };
}
