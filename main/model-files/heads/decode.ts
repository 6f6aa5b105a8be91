import type { ModelHead } from '../../../preload/contract/schema/model-files.ts';
import {
  decodeDetr,
  decodeInstances,
  decodeScoredBoxes,
  decodeSizedBoxes,
  decodeTensorFlowBoxes,
} from './boxes-beside-labels.ts';
import type { DetectorItem, HeadInput } from './found.ts';
import { decodeText } from './text.ts';
import { decodeCenterFace, decodeClasses, decodeSemantic } from './image-labels.ts';
import { decodePhrases } from './phrases.ts';
import { decodeSinglePose } from './single-pose.ts';
import { decodeBoxes, decodeYolo } from './yolo.ts';
import { decodeYolox } from './yolox.ts';

type Decode = (input: HeadInput) => DetectorItem[];

/** Decoders of model outputs by kind; pure functions. */
const decoders: Readonly<Record<Exclude<ModelHead, 'sam'>, Decode>> = {
  yolo: decodeYolo,
  'yolo-objectness': decodeYolo,
  yolox: decodeYolox,
  'single-pose': decodeSinglePose,
  boxes: decodeBoxes,
  detr: decodeDetr,
  'sized-boxes': decodeSizedBoxes,
  instances: decodeInstances,
  'tensorflow-boxes': decodeTensorFlowBoxes,
  'scored-boxes': decodeScoredBoxes,
  semantic: decodeSemantic,
  classes: decodeClasses,
  centerface: decodeCenterFace,
  text: decodeText,
  'grounding-dino': decodePhrases,
  owl: decodePhrases,
};

/** @throws UnexpectedOutput if the outputs do not match the head */
export function decodeDetections(input: HeadInput): DetectorItem[] {
  const { head } = input.description;
  return head === 'sam' ? [] : decoders[head](input);
}
