import { z } from 'zod';

/** Models that are files of weights (ONNX), which run in a process of Limner's own: no handler and no Engine. */

export const weightsHeads = [
  /** Boxes in columns or rows with a score for each label: YOLO v8 to v12 and what follows them. */
  'yolo',
  /** The same with a score of its own for "an object": YOLO v5, v7, YOLOX. */
  'yolo-objectness',
  /** Finished boxes in rows: box, score, label. */
  'boxes',
  /** Scores of labels beside boxes as shares of the picture: DETR, RT-DETR, RF-DETR. */
  'detr',
  /** Boxes in the pixels of a size that goes in beside the picture: RT-DETR, D-FINE, DEIM. */
  'sized-boxes',
  /** Boxes, labels and scores as outputs of their own: torchvision. */
  'instances',
  'tensorflow-boxes',
  /** Boxes with their score, and labels beside them: MMDetection. */
  'scored-boxes',
  'semantic',
  'classes',
  'centerface',
  /** A map of where there is text. */
  'text',
  /** Points or a box become a mask: Segment Anything, encoder and decoder. */
  'sam',
] as const;
export type WeightsHead = (typeof weightsHeads)[number];

const weightsTasks = ['detect', 'segment', 'pose', 'oriented'] as const;
const weightsFits = ['stretch', 'letterbox', 'corner', 'crop', 'multiple'] as const;
const weightsShapes = ['rectangle', 'mask', 'polygon', 'skeleton', 'tag'] as const;

const three = z.array(z.number()).length(3);
const side = z.int().min(8).max(8192);

export const weightsInputSchema = z.object({
  layout: z.enum(['NCHW', 'NHWC', 'CHW', 'HWC']),
  type: z.enum(['float32', 'float16', 'uint8']),
  width: side,
  height: side,
  /** Whether the model takes pictures of other sizes, too. */
  is_size_free: z.boolean(),
  colour: z.enum(['RGB', 'BGR']),
  /** A value that goes in is (value of the pixel / divisor − mean) / deviation. */
  divisor: z.number().min(0.001).max(65_536),
  mean: three,
  deviation: z.array(z.number().min(0.0001)).length(3),
  /**
   * How a picture becomes that size: stretched; whole, in the middle of a filled frame; whole, in its upper left corner;
   * its middle only; or as it is, with both sides rounded up to a multiple of the width.
   */
  fit: z.enum(weightsFits),
  /** Of a picture that keeps its size: its shorter side is enlarged to this; 0: as it is. */
  least_side: z.int().min(0).max(4096),
  /** Of what the picture leaves free of its frame. */
  fill: z.int().min(0).max(255),
});
export type WeightsInput = z.infer<typeof weightsInputSchema>;

const weightsOutputSchema = z.object({
  boxes: z.enum(['xyxy', 'cxcywh', 'yxyx']),
  unit: z.enum(['pixels', 'share']),
  /** What makes a score of the number that comes out. */
  scores: z.enum(['none', 'sigmoid', 'softmax']),
  /** The number that the model gives to the first label. */
  first_label: z.int().min(0).max(1),
  shape: z.enum(weightsShapes),
});

export const weightsDescriptionSchema = z.object({
  kind: z.enum(['detector', 'interactor']),
  head: z.enum(weightsHeads),
  task: z.enum(weightsTasks),
  input: weightsInputSchema,
  output: weightsOutputSchema,
  threshold: z.number().min(0).max(1),
  /** Of two boxes of one label that overlap more than this, one goes; null: none does. */
  overlap: z.number().min(0).max(1).nullable(),
  labels: z.array(z.string().min(1).max(256)).max(100_000),
  /** Points of a skeleton. */
  keypoints: z.array(z.string().min(1).max(64)).max(1000),
  /** Whether the sizes that the file declares are taken out of it. */
  frees_sizes: z.boolean(),
});
export type WeightsDescription = z.infer<typeof weightsDescriptionSchema>;

const valueSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** A size, a name for any size, or nothing; null: of any rank. */
  dimensions: z.array(z.union([z.int(), z.string(), z.null()])).nullable(),
});

/** What a file says of itself, and what that was taken for. */
export const weightsLookSchema = z.object({
  /** Names the file in the calls that follow. */
  id: z.string(),
  file_name: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  producer: z.string(),
  licence: z.string(),
  inputs: z.array(valueSchema),
  outputs: z.array(valueSchema),
  metadata: z.record(z.string(), z.string()),
  /** A name for the function. */
  name: z.string(),
  /** Null where the kind was not recognised; `problem` tells why then. */
  description: weightsDescriptionSchema.nullable(),
  problem: z.string().nullable(),
  /** Where what was concluded comes from: a sentence for each. */
  reasons: z.array(z.string()),
  /** What has to be answered or looked at by a person. */
  questions: z.array(z.string()),
  /** What else is needed: the decoder of an encoder. */
  needs: z.enum(['nothing', 'decoder', 'encoder']),
});
export type WeightsLook = z.infer<typeof weightsLookSchema>;

/** A file of this computer. */
export const weightsPathSchema = z.object({ path: z.string().min(1) });
export const decoderWriteSchema = z.object({ id: z.string() });
export const weightsPatchSchema = z.object({
  title: z.string().max(256).optional(),
  description: weightsDescriptionSchema,
});

export const weightsTrialSchema = z.object({
  id: z.string(),
  decoder: z.string().nullable().default(null),
  description: weightsDescriptionSchema,
  /** The picture, its file in base64. */
  image: z.base64(),
  /** Of a trial of an interactor: points of the picture. */
  points: z.array(z.array(z.number()).length(2)).max(100).default([]),
});

/** `answer`: what the function would answer, as a detector or an interactor of CVAT does. */
export const weightsTrialAnswerSchema = z.object({ answer: z.string(), duration_ms: z.number() });

/** Where a model runs in a container: on a base image with numpy and onnxruntime, with limits as functions have. */
const weightsContainerSchema = z.object({
  base_image: z.string().min(1),
  /** For example `{ "nvidia.com/gpu": "1" }`. */
  resource_limits: z.record(z.string(), z.string()).default({}),
  workers: z.int().min(1).max(1000).optional(),
  gpu_memory_mib: z.int().positive().nullable().optional(),
  /** 0 or null: never. */
  idle_stop_seconds: z.int().nonnegative().nullable().optional(),
});
export type WeightsContainer = z.output<typeof weightsContainerSchema>;

export const weightsWriteSchema = z.object({
  id: z.string(),
  decoder: z.string().nullable().default(null),
  name: z.string().min(1).max(63),
  title: z.string().max(256).default(''),
  description: weightsDescriptionSchema,
  /** Null or absent: it runs in Limner itself, on the processor. */
  container: weightsContainerSchema.nullable().optional(),
});

export const weightsSchema = z.object({
  name: z.string(),
  title: z.string(),
  file_name: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  decoder_file_name: z.string().nullable(),
  licence: z.string(),
  description: weightsDescriptionSchema,
});
export type Weights = z.infer<typeof weightsSchema>;
