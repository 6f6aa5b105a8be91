import { z } from 'zod';

/** ONNX models, which run in a separate process of Limner, without a handler or Docker Engine. */

export const modelHeads = [
  /** Boxes in columns or rows with a score for each label: YOLO v8 to v12 and successors. */
  'yolo',
  /** Same with a separate objectness score: YOLO v5, v7, YOLOX. */
  'yolo-objectness',
  /** Decoded boxes in rows: box, score, label. */
  'boxes',
  /** Label scores, and boxes as fractions of the image: DETR, RT-DETR, RF-DETR. */
  'detr',
  /** Boxes in pixels of an image size that is another input: RT-DETR, D-FINE, DEIM. */
  'sized-boxes',
  /** Boxes, labels and scores as separate outputs: torchvision. */
  'instances',
  'tensorflow-boxes',
  /** Boxes with their score, and labels as a separate output: MMDetection. */
  'scored-boxes',
  'semantic',
  'classes',
  'centerface',
  /** One row per grid cell that is not decoded in the file: YOLOX. */
  'yolox',
  /** One skeleton of the image, coordinates as fractions with y first: MoveNet. */
  'single-pose',
  /** Probability map of text regions. */
  'text',
  /** Boxes for phrases: a score for each token of a sentence. */
  'grounding-dino',
  /** Boxes for phrases: a score for each phrase. */
  'owl',
  /** Points or a box become a mask: Segment Anything, encoder and decoder. */
  'sam',
] as const;
export type ModelHead = (typeof modelHeads)[number];

const modelTasks = ['detect', 'segment', 'pose', 'oriented'] as const;
const modelFits = ['stretch', 'letterbox', 'square', 'corner', 'crop', 'multiple'] as const;
const modelShapes = ['rectangle', 'mask', 'polygon', 'skeleton', 'tag'] as const;

export const modelRows = [
  'box-score-label',
  'label-score-box',
  'image-box-score-label',
  'image-box-label-score',
] as const;

const three = z.array(z.number()).length(3);
const side = z.int().min(8).max(8192);

export const modelInputSchema = z.object({
  layout: z.enum(['NCHW', 'NHWC', 'CHW', 'HWC']),
  type: z.enum(['float32', 'float16', 'uint8', 'int32']),
  width: side,
  height: side,
  is_size_free: z.boolean(),
  colour: z.enum(['RGB', 'BGR']),
  /** Normalization: (pixel value / divisor − mean) / deviation. */
  divisor: z.number().min(0.001).max(65_536),
  mean: three,
  deviation: z.array(z.number().min(0.0001)).length(3),
  /**
   * Resizing to that size: stretched; complete in the centre of a padded frame; padded to its proportions and then
   * resized; complete in the upper left corner; centre crop; or unscaled, with both sides rounded up to a multiple of the width.
   */
  fit: z.enum(modelFits),
  /** True if shrinking averages all pixels, as Pillow and torchvision do; false if it samples, as OpenCV does. */
  smooth: z.boolean().default(false),
  /** With `multiple`: minimum length of the shorter side, to which smaller images are enlarged; 0: never. */
  least_side: z.int().min(0).max(4096),
  /** Padding value. */
  fill: z.int().min(0).max(255),
});
export type ModelInput = z.infer<typeof modelInputSchema>;

const modelOutputSchema = z.object({
  boxes: z.enum(['xyxy', 'cxcywh', 'yxyx']),
  unit: z.enum(['pixels', 'share']),
  /** Function that converts the output to a score; `range` scales a map from its minimum and maximum to 0 to 1. */
  scores: z.enum(['none', 'sigmoid', 'softmax', 'range']),
  /** Index of the first label in the model's output. */
  first_label: z.int().min(0).max(1),
  shape: z.enum(modelShapes),
  /** Order of the numbers of a row with the head `boxes`. */
  row: z.enum(modelRows).default('box-score-label'),
  /** Place of the labels of a map: one plane per label, or all labels of a pixel together. */
  map: z.enum(['planes', 'pixels']).default('planes'),
});

/** Attribute with the text of a region, named as in PaddleOCR's label files. */
export const textAttribute = 'transcription';

/** Second model that reads the text regions of the first one: PP-OCR's recognition. */
const modelRecognitionSchema = z.object({
  input: modelInputSchema,
  /** Dictionary: characters in the order of the model's output, without the blank of CTC and the last space. */
  letters: z.array(z.string().max(64)).min(1).max(100_000),
});
export type ModelRecognition = z.infer<typeof modelRecognitionSchema>;

export const modelDescriptionSchema = z.object({
  kind: z.enum(['detector', 'interactor']),
  head: z.enum(modelHeads),
  task: z.enum(modelTasks),
  input: modelInputSchema,
  output: modelOutputSchema,
  threshold: z.number().min(0).max(1),
  /** Non-maximum suppression: of two boxes of one label with a higher overlap only one is kept; null: off. */
  overlap: z.number().min(0).max(1).nullable(),
  labels: z.array(z.string().min(1).max(256)).max(100_000),
  keypoints: z.array(z.string().min(1).max(64)).max(1000),
  /** True if the fixed sizes that the file declares are removed. */
  frees_sizes: z.boolean(),
  /** Null for all heads other than `text`, and for text regions that are not read. */
  recognition: modelRecognitionSchema.nullable().default(null),
});
export type ModelDescription = z.infer<typeof modelDescriptionSchema>;

/** Models that take phrases instead of having labels. */
export type PromptHead = Extract<ModelDescription['head'], 'grounding-dino' | 'owl'>;
export const isPromptHead = (head: ModelDescription['head']): head is PromptHead =>
  head === 'grounding-dino' || head === 'owl';

const valueSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** Size, symbolic name, or null for unknown; null instead of the list: unknown rank. */
  dimensions: z.array(z.union([z.int(), z.string(), z.null()])).nullable(),
});

/** Results of a model, including those that Limner recognizes but cannot use yet. */
export const modelResults = [
  'boxes',
  'oriented-boxes',
  'masks',
  'keypoints',
  'single-keypoints',
  'crop-keypoints',
  'labels',
  'segmentation',
  'mask',
  'depth',
  'embedding',
  'text-regions',
  'text',
  'interactive-encoder',
  'interactive-decoder',
  'text-encoder',
  'text-prompt',
  'text-prompt-part',
  'image-text-embedding',
  'video-part',
  'language-part',
] as const;

/** Settings that a file does not tell. */
export const modelUnknowns = [
  'kind',
  'labels',
  'columns',
  'boxes',
  'scores',
  'points',
  'normalization',
  'colour',
  'layout',
  'fit',
  'part',
] as const;

/** Other file that a part belongs to; `detector`: text lines are read in the regions of a detector. */
export const modelNeeds = ['nothing', 'decoder', 'encoder', 'detector'] as const;

const modelReadingSchema = z.object({
  id: z.string(),
  /** For example "Corners". */
  name: z.string(),
  /** For example "x1 y1 x2 y2 score label". */
  formula: z.string(),
  result: z.enum(modelResults),
  /** Null for parts without an image input. */
  input: modelInputSchema.nullable(),
  /** Null if Limner cannot use the results; `missing` then says why. */
  description: modelDescriptionSchema.nullable(),
  missing: z.string().nullable(),
  reasons: z.array(z.string()),
  /** Evidence against this reading. */
  against: z.array(z.string()),
  questions: z.array(z.object({ about: z.array(z.enum(modelUnknowns)), text: z.string() })),
  needs: z.enum(modelNeeds),
});
export type ModelReading = z.infer<typeof modelReadingSchema>;

/** First run of a model, on a sample image. */
const modelTrialSchema = z.object({
  /** For example "3 boxes, best 0.91 dog"; empty if no reading can be used. */
  text: z.string(),
  /** Implausible results, for example equal scores. */
  doubts: z.array(z.string()),
  duration_ms: z.number(),
});
export type ModelTrial = z.infer<typeof modelTrialSchema>;

/** Contents of a model file, and how they were interpreted. */
export const modelFileInspectionSchema = z.object({
  id: z.string(),
  file_name: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  producer: z.string(),
  licence: z.string(),
  inputs: z.array(valueSchema),
  outputs: z.array(valueSchema),
  metadata: z.record(z.string(), z.string()),
  name: z.string(),
  /** Files that have to be added: weights, or the tokenizer. */
  missing_files: z.array(z.string()),
  /** Null if the model cannot be used (`problem`), or if several readings fit and the user has to choose. */
  description: modelDescriptionSchema.nullable(),
  problem: z.string().nullable(),
  reasons: z.array(z.string()),
  questions: z.array(z.string()),
  needs: z.enum(modelNeeds),
  /** All readings that fit the file. More than one is a question. */
  readings: z.array(modelReadingSchema),
  /** Null if the model was not run, because it is a part of another model. */
  trial: modelTrialSchema.nullable(),
});
export type ModelFileInspection = z.infer<typeof modelFileInspectionSchema>;

export const modelFilePathSchema = z.object({ path: z.string().min(1) });
/** Address of a model on a server of the Open Inference Protocol: `http://HOST/v2/models/NAME`. */
export const modelServerSchema = z.object({ url: z.url({ protocol: /^https?$/ }) });
export const decoderWriteSchema = z.object({ id: z.string() });
export const modelFilePatchSchema = z.object({
  title: z.string().max(256).optional(),
  description: modelDescriptionSchema,
});

export const modelFileTrialSchema = z.object({
  id: z.string(),
  decoder: z.string().nullable().default(null),
  description: modelDescriptionSchema,
  image: z.base64(),
  points: z.array(z.array(z.number()).length(2)).max(100).default([]),
  /** Phrases to look for, for models that take texts. */
  text_prompts: z.array(z.string().max(256)).max(256).optional(),
});

/** `answer`: the function's answer, as from a detector or interactor of CVAT. */
export const modelFileTrialAnswerSchema = z.object({ answer: z.string(), duration_ms: z.number() });

/** Container of a model: a base image with numpy and onnxruntime, with limits as for functions. */
const modelContainerSchema = z.object({
  base_image: z.string().min(1),
  /** For example `{ "nvidia.com/gpu": "1" }`. */
  resource_limits: z.record(z.string(), z.string()).default({}),
  workers: z.int().min(1).max(1000).optional(),
  gpu_memory_mib: z.int().positive().nullable().optional(),
  /** 0 or null: never. */
  idle_stop_seconds: z.int().nonnegative().nullable().optional(),
});
export type ModelContainer = z.output<typeof modelContainerSchema>;

export const modelFileWriteSchema = z.object({
  id: z.string(),
  decoder: z.string().nullable().default(null),
  name: z.string().min(1).max(63),
  title: z.string().max(256).default(''),
  description: modelDescriptionSchema,
  /** Null or absent: runs in Limner itself, on the CPU. */
  container: modelContainerSchema.nullable().optional(),
});

export const modelFileSchema = z.object({
  name: z.string(),
  title: z.string(),
  file_name: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  decoder_file_name: z.string().nullable(),
  licence: z.string(),
  description: modelDescriptionSchema,
});
export type ModelFile = z.infer<typeof modelFileSchema>;

/** Settings of a model, corrected by the user or not, in a file that travels with the model. */
export const modelSettingsSchema = z.object({
  limner_model: z.literal(1),
  file_name: z.string().max(255),
  /** Hash of the model file that the settings are for. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  description: modelDescriptionSchema,
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

export const settingsOf = ({ file_name, sha256, description }: ModelFile): ModelSettings => ({
  limner_model: 1,
  file_name,
  sha256,
  description,
});

export const settingsFileName = (fileName: string): string => `${fileName.replace(/\.onnx$/i, '')}.limner.json`;
