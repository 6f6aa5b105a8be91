import { z } from 'zod';
import { shapeTypeSchema } from './annotations.ts';
import { dateTimeSchema } from './common.ts';
import { inputTypeSchema } from './labels.ts';

/** Model functions: what CVAT's clients know of them (lambda), and how Limner deploys and watches them (models). */

export const functionKinds = ['detector', 'interactor', 'tracker', 'reid'] as const;
export const functionKindSchema = z.enum(functionKinds);

const modelAttributeSchema = z.object({
  name: z.string(),
  input_type: inputTypeSchema,
  values: z.array(z.string()),
});
const modelSublabelSchema = z.object({
  name: z.string(),
  type: z.string(),
  attributes: z.array(modelAttributeSchema),
});
export const modelLabelSchema = modelSublabelSchema.extend({
  sublabels: z.array(modelSublabelSchema).optional(),
  svg: z.string().optional(),
});
export type LambdaLabel = z.infer<typeof modelLabelSchema>;

/** The keys beyond the first six depend on the kind. */
export const lambdaFunctionSchema = z.object({
  id: z.string(),
  kind: functionKindSchema,
  name: z.string(),
  description: z.string(),
  labels_v2: z.array(modelLabelSchema),
  version: z.int(),
  min_pos_points: z.int().optional(),
  min_neg_points: z.int().optional(),
  startswith_box: z.boolean().optional(),
  startswith_box_optional: z.boolean().optional(),
  help_message: z.string().optional(),
  animated_gif: z.string().optional(),
  supported_shape_types: z.array(shapeTypeSchema).optional(),
});
export type LambdaFunction = z.infer<typeof lambdaFunctionSchema>;

/** Anything may come: what is missing or wrong is answered as CVAT does, by the service and not by this schema. */
export const lambdaCallSchema = z.record(z.string(), z.unknown());

/** Annotations of a detector; of the other kinds what the function answered. */
export const lambdaAnswerSchema = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);
export type LambdaAnswer = z.infer<typeof lambdaAnswerSchema>;

export const lambdaRequestSchema = z.object({
  id: z.string(),
  function: z.object({
    id: z.string(),
    task: z.int(),
    job: z.int().optional(),
    threshold: z.number().nullable(),
  }),
  status: z.enum(['queued', 'started', 'finished', 'failed']),
  progress: z.int(),
  enqueued: dateTimeSchema,
  started: dateTimeSchema.nullable(),
  ended: dateTimeSchema.nullable(),
  exc_info: z.string().nullable(),
});
export type LambdaRequest = z.infer<typeof lambdaRequestSchema>;

const modelProviders = ['docker', 'nuclio', 'url', 'limner', 'native'] as const;

/** Nuclio's states, of which these occur on one machine; `scaledToZero`: starts when it is called. */
export const functionStates = [
  'building',
  'ready',
  'error',
  'unhealthy',
  'scaledToZero',
  'stopped',
  'imported',
] as const;
export const functionStateSchema = z.enum(functionStates);
export type FunctionState = z.infer<typeof functionStateSchema>;

export const modelFunctionSchema = z.object({
  namespace: z.string(),
  name: z.string(),
  project: z.string(),
  state: functionStateSchema,
  /** Port of this machine while the function has one. */
  node_port: z.int().nullable(),
  /** For example `1/1`. */
  replicas: z.string(),
  provider: z.enum(modelProviders),
  /** Whether it is a file of weights, whose pictures and results Limner makes itself, wherever it runs. */
  is_weights: z.boolean(),
  /** Address of the dashboard or the function, for those that do not run here. */
  address: z.string().nullable(),
  kind: functionKindSchema.nullable(),
  title: z.string(),
  description: z.string(),
  labels: z.array(modelLabelSchema),
  /** Why it cannot be used as a model; null where it can. */
  model_problem: z.string().nullable(),
  way: z.enum(['image', 'handler', 'build']).nullable(),
  image: z.string().nullable(),
  directory: z.string().nullable(),
  handler: z.string(),
  runtime: z.string(),
  workers: z.int(),
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  gpu: z.object({
    count: z.int(),
    cards: z.array(z.string()),
    declared_mib: z.int().nullable(),
    measured_mib: z.int().nullable(),
  }),
  /** Counts its deployments that went well. */
  version: z.int(),
  /** Its place in the line for a graphics card, and what it waits for; null where it does not wait. */
  waiting: z.object({ place: z.int(), words: z.string() }).nullable(),
  /** Of a native function of cvat-cli; null for others, which need no agent. */
  agents: z
    .object({
      /** As cvat-cli knows the function. */
      function_id: z.int(),
      is_there: z.boolean(),
      /** When one last asked for work; null: never. */
      seen_date: dateTimeSchema.nullable(),
      /** Requests that none has taken, and those that are being answered. */
      waiting_count: z.int(),
      taken_count: z.int(),
      /** Starts one, where the file of the function is put in. */
      command: z.string(),
    })
    .nullable(),
  idle_stop_seconds: z.int().nullable(),
  /** What went wrong last, or what is being done; empty while all is well. */
  message: z.string(),
  warnings: z.array(z.string()),
  grants: z.array(z.string()),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
});
export type ModelFunction = z.infer<typeof modelFunctionSchema>;

const configurationText = z.string().max(4 * 1024 * 1024);

/** Where a function comes from, and what changes on the way. Paths are of this machine. */
export const deploySchema = z.object({
  /** A `function.yaml`, or the JSON that Nuclio's tools export. Without it: the file in the folder. */
  configuration: configurationText.optional(),
  /** Its name, for messages; or the file to read in the folder. */
  configuration_name: z.string().max(255).optional(),
  /** A sample that comes with Limner: stands for a folder. */
  sample: z.string().optional(),
  way: z.enum(['archive', 'image', 'handler', 'build']).optional(),
  /** An archive of images (`docker save`), which is imported first. */
  archive: z.string().optional(),
  image: z.string().optional(),
  base_image: z.string().optional(),
  directory: z.string().optional(),
  /** A handler that comes with the request: contents in base64. */
  files: z.array(z.object({ path: z.string(), content: z.base64() })).optional(),
  name: z.string().optional(),
  project: z.string().optional(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  volumes: z
    .array(z.object({ source: z.string(), target: z.string(), read_only: z.boolean().default(false) }))
    .default([]),
  /** For example `{ "nvidia.com/gpu": "1" }`. */
  resource_limits: z.record(z.string(), z.string()).default({}),
  workers: z.int().min(1).max(1000).optional(),
  gpu_memory_mib: z.int().positive().nullable().optional(),
  /** 0 or null: never. */
  idle_stop_seconds: z.int().nonnegative().nullable().optional(),
  run_as_user: z.int().nonnegative().optional(),
  network: z.string().optional(),
  /** What the owner allows beyond the usual: the ids of demands, to the letter. */
  grants: z.array(z.string()).default([]),
});
export type DeployRequest = z.output<typeof deploySchema>;

export const demandSchema = z.object({ id: z.string(), words: z.string() });

export const deployCheckSchema = z.object({
  name: z.string(),
  title: z.string(),
  kind: functionKindSchema.nullable(),
  model_problem: z.string().nullable(),
  labels: z.array(modelLabelSchema),
  way: z.enum(['image', 'handler', 'build']),
  image: z.string(),
  /** Null where the Engine cannot be asked. */
  has_image: z.boolean().nullable(),
  engine_problem: z.string().nullable(),
  exists: z.boolean(),
  warnings: z.array(z.string()),
  /** `problem`: why the cards have no room for it, with the numbers; null where they have, or where it wants none. */
  gpu: z.object({
    count: z.int(),
    workers: z.int(),
    per_worker_mib: z.int().nullable(),
    problem: z.string().nullable(),
  }),
  demands: z.array(demandSchema),
  directives: z.array(
    z.object({
      key: z.string(),
      directive: z.string(),
      kind: z.enum(['network', 'likely-network', 'missing']),
      reason: z.string(),
    }),
  ),
});
export type DeployCheck = z.infer<typeof deployCheckSchema>;

export const modelPatchSchema = z.object({
  state: z.enum(['ready', 'stopped']).optional(),
  gpu_memory_mib: z.int().positive().nullable().optional(),
  idle_stop_seconds: z.int().nonnegative().nullable().optional(),
});

export const engineStatusSchema = z.object({
  state: z.enum(['connected', 'missing', 'permission', 'stopped', 'remote', 'failed']),
  /** What is wrong and what to do; empty while it is connected. */
  message: z.string(),
  socket: z.string(),
  version: z.string().nullable(),
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  cards: z.array(
    z.object({
      index: z.int(),
      uuid: z.string(),
      name: z.string(),
      memory_mib: z.int(),
      usable_mib: z.int(),
      used_mib: z.int(),
      free_mib: z.int(),
      /** What other programs hold; null where the driver does not say. */
      foreign_mib: z.int().nullable(),
      functions: z.array(z.string()),
    }),
  ),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;

export const modelImageSchema = z.object({
  id: z.string(),
  names: z.array(z.string()),
  size_bytes: z.number(),
  created_date: dateTimeSchema,
});

export const modelSampleSchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: functionKindSchema,
  description: z.string(),
  language: z.enum(['python', 'node']),
});

export const environmentPathSchema = z.object({ path: z.string().min(1) });

/** An environment of Python before it becomes a base image: what is in it, and how much. */
export const environmentLookSchema = z.object({
  version: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  file_count: z.int(),
  /** The interpreter with the libraries of this computer; shared by all images of it. */
  interpreter_bytes: z.number(),
  /** Packages with the libraries of graphics cards. */
  card_bytes: z.number(),
  package_bytes: z.number(),
  /** Libraries that are nowhere on this computer, with the file that asks for them. */
  missing: z.array(z.object({ file: z.string(), library: z.string() })),
});
export type EnvironmentLook = z.infer<typeof environmentLookSchema>;

export const gpuProbeSchema = z.object({ works: z.boolean(), message: z.string() });

export const dashboardSchema = z.object({
  id: z.int(),
  url: z.string(),
  namespace: z.string(),
  project: z.string(),
  /** `direct`: functions are called at their own port; `dashboard`: through the dashboard. */
  invoke: z.enum(['direct', 'dashboard']),
  /** Why it does not answer; null while it does, or has not been asked. */
  problem: z.string().nullable(),
});
export const dashboardWriteSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  namespace: z.string().min(1).default('nuclio'),
  project: z.string().default('cvat'),
  invoke: z.enum(['direct', 'dashboard']).default('direct'),
});

/** A function that runs elsewhere and answers at an address. */
export const endpointWriteSchema = z.object({
  /** A `function.yaml` with the annotations of the model. */
  configuration: configurationText,
  url: z.url({ protocol: /^https?$/ }),
  /** Sent with every call, for example credentials; never answered. */
  headers: z.record(z.string(), z.string()).default({}),
});
