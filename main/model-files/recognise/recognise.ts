import type { OnnxFacts, OnnxValue } from '../onnx/read-onnx.ts';
import { descriptionOf, inputOf, pictureInput, seenText, type Recognised } from './base-description.ts';
import { shapeRules } from './by-shape.ts';
import { recogniseUltralytics } from './ultralytics.ts';

/**
 * Detects the kind of a model from its metadata, then from names, ranks and sizes of inputs and outputs. Returns
 * reasons and open questions; rejects unknown models with all observed facts.
 */
export function recognise(facts: OnnxFacts): Recognised {
  const sam = recogniseSam(facts);
  if (sam !== null) return sam;
  const picture = pictureInput(facts);
  const refused = (problem: string): Recognised => ({
    description: null,
    problem: `${problem} It has ${seenText(facts)}.`,
    reasons: [],
    questions: [],
    needs: 'nothing',
  });
  if (picture === null) return refused('None of its inputs is an image with three channels.');
  const others = facts.inputs.filter((one) => one !== picture && !isCompanion(one));
  if (others.length > 0) return refused(`Its input "${others[0]?.name}" is unknown.`);
  const found = recogniseUltralytics(facts, picture) ?? byShape(facts, picture);
  if (found !== null) return found;
  return refused('Its outputs match no supported kind of model.');
}

/** Inputs that Limner can fill: the image size and the padding mask. */
const isCompanion = ({ name, type }: OnnxValue): boolean =>
  /orig_target_sizes|image_size|im_shape|pixel_mask/.test(name) && /int|float/.test(type);

function byShape(facts: OnnxFacts, picture: OnnxValue): Recognised | null {
  for (const rule of shapeRules) {
    const found = rule(facts, picture);
    if (found !== null) return { ...found, problem: null, needs: 'nothing' };
  }
  return null;
}

const samDecoderInputs = ['point_coords', 'point_labels'];

/** Segment Anything: an encoder that returns features, or a decoder that takes points. */
function recogniseSam(facts: OnnxFacts): Recognised | null {
  const names = new Set(facts.inputs.map(({ name }) => name));
  const isDecoder = samDecoderInputs.every((name) => names.has(name));
  const features = facts.outputs.filter(({ name }) => /image_embed|high_res_feats/.test(name));
  if (!isDecoder && features.length === 0) return null;
  if (isDecoder && facts.inputs.every(({ name }) => !/image_embed/.test(name))) return null;
  const reasons = [
    isDecoder
      ? 'Takes points and image features: the decoder of Segment Anything.'
      : 'Returns image features: the encoder of Segment Anything.',
  ];
  const common = { problem: null, questions: [], reasons };
  if (isDecoder) return { ...common, description: null, needs: 'encoder' };
  const picture = pictureInput(facts);
  if (picture === null) return null;
  const isSecond = features.length > 1;
  const shape = inputOf(picture, 1024);
  const isPlain = shape.layout === 'HWC';
  const input = {
    ...shape,
    divisor: 1,
    mean: isPlain ? [0, 0, 0] : [123.675, 116.28, 103.53],
    deviation: isPlain ? [1, 1, 1] : [58.395, 57.12, 57.375],
    fit: isSecond ? ('stretch' as const) : ('corner' as const),
  };
  reasons.push(
    isSecond
      ? 'Features of three sizes: Segment Anything 2, which stretches images.'
      : 'The longer side becomes 1024, the rest is padded after normalization.',
  );
  const description = descriptionOf('sam', input, {
    kind: 'interactor',
    threshold: 0,
    output: { shape: 'mask' },
  });
  return { ...common, description, needs: 'decoder' };
}
