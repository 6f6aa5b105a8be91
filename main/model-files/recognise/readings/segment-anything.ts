import { named, sizeAt, takes, type Evidence, type Output } from '../evidence.ts';
import {
  ask,
  askFit,
  askNormalization,
  descriptionOf,
  halves,
  imageNet,
  imageNetBytes,
  inputOf,
  reading,
  type Candidate,
  type Reading,
} from '../reading.ts';

const decoderQuestion = ask('part', 'The decoder is another file.');

const isFeature = (output: Output, channels: number): boolean => output.rank === 4 && sizeAt(output, 1) === channels;

/** Share of the model input that a feature map has; null if a size is free. */
const partOf = (output: Output, { size }: Evidence): number | null => {
  const width = sizeAt(output, -1);
  return width === null || size === null ? null : width / size.width;
};

/** Encoders of Segment Anything 1 and 2, EfficientSAM and the video models. */
export const samEncoder: Reading = (evidence) => {
  const { image, others, outputs } = evidence;
  if (image === null || others.length > 0 || image.layout === 'NHWC') return [];
  // EfficientSAM resizes images itself, so that its features have one size for all of them.
  const isOwnSize = (one: Output) => image.width === null && sizeAt(one, -1) === 64;
  const isMain = (one: Output) => isOwnSize(one) || [1 / 16, null].includes(partOf(one, evidence));
  const main = outputs.find((one) => isFeature(one, 256) && isMain(one));
  if (named(evidence, /^backbone_fpn/) !== undefined) return [sam3Image(evidence)];
  if (main === undefined) return [];
  const high = outputs.find((one) => isFeature(one, 32) && partOf(one, evidence) === 1 / 4);
  const middle = outputs.find((one) => isFeature(one, 64) && partOf(one, evidence) === 1 / 8);
  if (high !== undefined && middle !== undefined) return [secondVersion(evidence, outputs.length)];
  if (high !== undefined || middle !== undefined) return [];
  return firstVersion(evidence, main);
};

function secondVersion(evidence: Evidence, count: number): Candidate {
  const input = inputOf(evidence.image!, 1024, evidence.size?.width === 1008 ? halves : imageNet);
  const isVideo = count > 3;
  return reading({
    id: isVideo ? 'sam2-video' : 'sam2',
    name: isVideo ? 'Encoder of Segment Anything 2 for videos' : 'Encoder of Segment Anything 2',
    result: isVideo ? 'video-part' : 'interactive-encoder',
    level: 2,
    ...(isVideo
      ? { input, missing: 'it needs the memory attention, memory encoder and mask decoder of its video model' }
      : { description: samDescription(input), needs: 'decoder' as const }),
    reasons: ['Features of three sizes: Segment Anything 2, which stretches images.'],
    questions: [decoderQuestion, evidence.size?.width === 1008 ? askNormalization('SAM 3 uses 0.5 and 0.5.') : null],
  });
}

const samDescription = (input: ReturnType<typeof inputOf>) =>
  descriptionOf('sam', input, { kind: 'interactor', threshold: 0, output: { shape: 'mask' } });

function firstVersion(evidence: Evidence, main: Output): Candidate[] {
  const { image, outputs } = evidence;
  const others = outputs.filter((one) => one !== main);
  if (others.some((one) => !isFeature(one, 256))) return [];
  const isHuggingFace = image!.name === 'pixel_values' && others.length === 1;
  const isEfficient = image!.name === 'batched_images';
  const isPlain = image!.layout === 'HWC';
  const isNamed = /image_embed/.test(main.name);
  if (!isNamed && partOf(main, evidence) !== 1 / 16) return [];
  const isKnown = isNamed && (isHuggingFace || isEfficient || isPlain);
  const level = isNamed ? 2 : 1;
  const questions = isKnown
    ? [decoderQuestion]
    : [
        decoderQuestion,
        askNormalization('The values of Segment Anything are assumed.'),
        askFit('The longer side becomes 1024, the rest is padded.'),
      ];
  const first = reading({
    id: 'sam1',
    name: 'Encoder of Segment Anything',
    result: 'interactive-encoder',
    level,
    description: samDescription(
      inputOf(image!, 1024, { ...(isPlain ? { divisor: 1 } : imageNetBytes), fit: 'corner' }),
    ),
    needs: 'decoder',
    reasons: [
      'Image features of 256 channels at a sixteenth of the size: the encoder of Segment Anything.',
      'The longer side becomes 1024, the rest is padded after normalization.',
    ],
    questions,
  });
  const efficient = reading({
    id: 'efficientsam',
    name: 'Encoder of EfficientSAM',
    result: 'interactive-encoder',
    level,
    description: samDescription({ ...inputOf(image!, 8, { fit: 'multiple' }), width: 8, height: 8 }),
    needs: 'decoder',
    reasons: ['An input of any size, and features of 256 channels: EfficientSAM, which resizes and normalizes itself.'],
    questions,
  });
  if (isEfficient) return [efficient];
  return image!.width === null && !isPlain ? [first, efficient] : [first];
}

function sam3Image({ image }: Evidence): Candidate {
  return reading({
    id: 'sam3-image',
    name: 'Image encoder of SAM 3',
    result: 'text-prompt-part',
    level: 2,
    input: inputOf(image!, 1008, halves),
    missing: 'it needs the language encoder and the decoder of SAM 3',
    reasons: ['Features of three sizes with position encodings: SAM 3.'],
    questions: [ask('part', 'The language encoder and the decoder are other files.')],
  });
}

/** Decoders take points and features. */
export const samDecoder: Reading = (evidence) => {
  const hasFeatures = takes(evidence, /image_embed/);
  if (!takes(evidence, /point_coords|input_points/) || !takes(evidence, /point_labels|input_labels/) || !hasFeatures)
    return [];
  return [
    reading({
      id: 'sam-decoder',
      name: 'Decoder of Segment Anything',
      result: 'interactive-decoder',
      level: 2,
      needs: 'encoder',
      reasons: ['Takes points and image features: the decoder of Segment Anything.'],
      questions: [ask('part', 'The encoder is another file.')],
    }),
  ];
};

/** Parts of video models that keep a memory of earlier frames, and SAM 3's decoder. */
export const modelParts: Reading = (evidence) => {
  const part = (id: string, name: string, result: Candidate['result'], missing: string, reason: string) => [
    reading({
      id,
      name,
      result,
      level: 2,
      missing,
      reasons: [reason],
      questions: [ask('part', `It is a part: ${missing}.`)],
    }),
  ];
  if (evidence.image !== null) return [];
  if (takes(evidence, /language_(mask|features)|text_memory/) && takes(evidence, /backbone_fpn|vision/)) {
    return part(
      'sam3-decoder',
      'Decoder of SAM 3',
      'text-prompt-part',
      'it needs the image encoder and the language encoder of SAM 3',
      'Takes image features, language features and boxes: SAM 3.',
    );
  }
  if (takes(evidence, /memory/) && takes(evidence, /vision_feat/)) {
    return part(
      'memory-attention',
      'Memory attention',
      'video-part',
      'it needs the encoder, memory encoder and mask decoder of its video model',
      'Takes features of a frame and a memory: a video model.',
    );
  }
  if (takes(evidence, /mask/) && takes(evidence, /vision_feat|pix_feat/)) {
    return part(
      'memory-encoder',
      'Memory encoder',
      'video-part',
      'it needs the encoder, memory attention and mask decoder of its video model',
      'Takes features and a mask, and returns a memory: a video model.',
    );
  }
  return [];
};
