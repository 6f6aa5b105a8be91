import { z } from 'zod';
import { shapeTypeSchema } from './annotations.ts';
import { dateTimeSchema } from './common.ts';
import { inputTypeSchema } from './labels.ts';

/** Model functions: as CVAT's clients see them (lambda), and as Limner deploys and monitors them (models). */

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

/** Keys after the first six depend on the kind. */
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
  /** Detectors that look for phrases: the names in the mapping. Not in CVAT. */
  takes_phrases: z.boolean().optional(),
  /** Detectors that fill in tags and attributes of the task's labels. Not in CVAT. */
  fills_attributes: z.boolean().optional(),
});
export type LambdaFunction = z.infer<typeof lambdaFunctionSchema>;

/** Not validated here: the service answers missing or invalid fields as CVAT does. */
export const lambdaCallSchema = z.record(z.string(), z.unknown());

/** Annotations for a detector; the function's answer for other kinds. */
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

/** Nuclio's states that occur on one machine. `scaledToZero` functions start when they are called. */
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
  /** Port on this machine; null while the function has none. */
  node_port: z.int().nullable(),
  /** For example `1/1`. */
  replicas: z.string(),
  provider: z.enum(modelProviders),
  /** True for an ONNX model, for which Limner prepares the images and results wherever it runs. */
  is_model_file: z.boolean(),
  /** Address of the dashboard or function, if it runs elsewhere. */
  address: z.string().nullable(),
  /** Docker Engine with its container; null for a function without one. */
  engine: z.string().nullable(),
  kind: functionKindSchema.nullable(),
  title: z.string(),
  description: z.string(),
  labels: z.array(modelLabelSchema),
  /** Reason why it cannot be used as a model; null if it can. */
  model_problem: z.string().nullable(),
  /** True for a model that takes phrases (`text_prompts`) instead of having labels. */
  takes_phrases: z.boolean().optional(),
  /** True for a model that fills in tags and attributes of the task's labels. */
  fills_attributes: z.boolean().optional(),
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
    devices: z.array(z.string()),
    declared_mib: z.int().nullable(),
    measured_mib: z.int().nullable(),
  }),
  version: z.int(),
  /** Position in the GPU queue and the reason; null if the function does not wait. */
  waiting: z.object({ position: z.int(), message: z.string() }).nullable(),
  /** Agents of a native function of cvat-cli; null for other functions, which need none. */
  agents: z
    .object({
      /** Id that cvat-cli uses. */
      function_id: z.int(),
      is_connected: z.boolean(),
      /** Date of the last request for work; null: never. */
      seen_date: dateTimeSchema.nullable(),
      /** Numbers of waiting requests and of those in progress. */
      waiting_count: z.int(),
      running_count: z.int(),
      /** Command that starts an agent, with a placeholder for the function's file. */
      command: z.string(),
    })
    .nullable(),
  idle_stop_seconds: z.int().nullable(),
  /** Last error or current activity; empty if all is well. */
  message: z.string(),
  warnings: z.array(z.string()),
  grants: z.array(z.string()),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
});
export type ModelFunction = z.infer<typeof modelFunctionSchema>;

const configurationText = z.string().max(4 * 1024 * 1024);

/** Source of a function, and changes to its configuration. Paths are on this machine. */
export const deploySchema = z.object({
  /** `function.yaml`, or JSON from Nuclio's tools. Default: the file in the folder. */
  configuration: configurationText.optional(),
  /** Name for messages, or the file to read in the folder. */
  configuration_name: z.string().max(255).optional(),
  /** Sample included in Limner, used instead of a folder. */
  sample: z.string().optional(),
  way: z.enum(['archive', 'image', 'handler', 'build']).optional(),
  /** Image archive (`docker save`) that is imported first. */
  archive: z.string().optional(),
  image: z.string().optional(),
  base_image: z.string().optional(),
  directory: z.string().optional(),
  /** Handler files in the request, with contents in base64. */
  files: z.array(z.object({ path: z.string(), content: z.base64() })).optional(),
  name: z.string().optional(),
  /** Docker Engine by name. Default: that of the deployed function, else that of this computer (`default`). */
  engine: z.string().max(128).optional(),
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
  grants: z.array(z.string()).default([]),
});
export type DeployRequest = z.output<typeof deploySchema>;

export const permissionSchema = z.object({ id: z.string(), message: z.string() });

export const deployCheckSchema = z.object({
  name: z.string(),
  title: z.string(),
  kind: functionKindSchema.nullable(),
  model_problem: z.string().nullable(),
  labels: z.array(modelLabelSchema),
  way: z.enum(['image', 'handler', 'build']),
  image: z.string(),
  /** Null if Docker Engine is not available. */
  has_image: z.boolean().nullable(),
  engine_problem: z.string().nullable(),
  exists: z.boolean(),
  warnings: z.array(z.string()),
  /** `problem`: why the GPUs have too little memory, with the numbers; null if they have enough or none is needed. */
  gpu: z.object({
    count: z.int(),
    workers: z.int(),
    per_worker_mib: z.int().nullable(),
    problem: z.string().nullable(),
  }),
  permissions: z.array(permissionSchema),
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

const engineStates = ['connected', 'missing', 'permission', 'stopped', 'remote', 'failed'] as const;

export const engineStatusSchema = z.object({
  state: z.enum(engineStates),
  /** Problem and suggested action; empty while connected. */
  message: z.string(),
  socket: z.string(),
  version: z.string().nullable(),
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  gpus: z.array(
    z.object({
      index: z.int(),
      uuid: z.string(),
      name: z.string(),
      memory_mib: z.int(),
      usable_mib: z.int(),
      used_mib: z.int(),
      free_mib: z.int(),
      /** Memory of other programs; null if the driver does not report it. */
      external_mib: z.int().nullable(),
      functions: z.array(z.string()),
    }),
  ),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;

/** A Docker Engine: that of this computer, of a Docker context, or one that a user added. */
export const modelEngineSchema = z.object({
  name: z.string(),
  source: z.enum(['local', 'context', 'own']),
  transport: z.enum(['local', 'ssh', 'tls']),
  address: z.string(),
  /** `unknown` until it was tested or used. */
  state: z.enum([...engineStates, 'unknown']),
  /** Problem and suggested action; empty while connected. */
  message: z.string(),
  version: z.string().nullable(),
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  /** Time of the last ping. */
  latency_ms: z.number().nullable(),
  tested_date: dateTimeSchema.nullable(),
  /** GPUs; empty over TLS, where the driver cannot be asked. */
  gpus: engineStatusSchema.shape.gpus,
  /** Names of the deployed functions. */
  functions: z.array(z.string()),
});
export type ModelEngine = z.infer<typeof modelEngineSchema>;

/** A source that Limner only calls. */
export const modelSourceSchema = z.object({
  id: z.string(),
  kind: z.enum(['nuclio', 'inference', 'chat', 'url']),
  address: z.string(),
  models: z.array(z.string()),
  /** `unknown` until it was tested. */
  state: z.enum(['unknown', 'connected', 'failed']),
  message: z.string(),
  latency_ms: z.number().nullable(),
  tested_date: dateTimeSchema.nullable(),
});
export type ModelSource = z.infer<typeof modelSourceSchema>;
/** Names a source by its id. */
export const modelSourceIdSchema = z.object({ id: z.string() });

const pem = z.string().max(64 * 1024);
export const engineWriteSchema = z.object({
  name: z.string().min(1).max(128),
  /** `ssh://user@host:port`, or `tcp://host:2376` with TLS. */
  address: z.string().min(1).max(2048),
  /** Certificates in PEM: of the server's authority, and of this computer with its key. */
  ca: pem.optional(),
  cert: pem.optional(),
  key: pem.optional(),
});

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

/** Contents and size of a Python environment before it becomes a base image. */
export const environmentInspectionSchema = z.object({
  version: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  file_count: z.int(),
  /** Interpreter with the libraries of this computer; shared by all images that use it. */
  interpreter_bytes: z.number(),
  gpu_package_bytes: z.number(),
  package_bytes: z.number(),
  /** Libraries missing on this computer, with the files that need them. */
  missing: z.array(z.object({ file: z.string(), library: z.string() })),
});
export type EnvironmentInspection = z.infer<typeof environmentInspectionSchema>;

export const gpuProbeSchema = z.object({ works: z.boolean(), message: z.string() });

export const dashboardSchema = z.object({
  id: z.int(),
  url: z.string(),
  namespace: z.string(),
  project: z.string(),
  /** `direct`: calls functions at their own port; `dashboard`: through the dashboard. */
  invoke: z.enum(['direct', 'dashboard']),
  /** Reason why it does not answer; null if it does, or if it was not contacted yet. */
  problem: z.string().nullable(),
});
export const dashboardWriteSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  namespace: z.string().min(1).default('nuclio'),
  project: z.string().default('cvat'),
  invoke: z.enum(['direct', 'dashboard']).default('direct'),
});

/** Vision model behind a chat endpoint in the form of OpenAI: llama.cpp, Ollama, vLLM. */
export const chatModelWriteSchema = z.object({
  /** Base address, which ends in `/v1`. */
  url: z.url({ protocol: /^https?$/ }),
  /** Name of the model at the endpoint; '' if it offers only one. */
  model: z.string().trim().max(512).default(''),
  /** Name of the function; default: derived from the model's name. */
  name: z.string().trim().max(63).default(''),
  title: z.string().trim().max(256).default(''),
  /** Stored encrypted and never included in answers. */
  api_key: z.string().trim().max(4096).default(''),
  /** Text that is added to each question. */
  instructions: z.string().trim().max(4096).default(''),
});

/** Result of a connection to the address of a model. */
export const modelAddressCheckSchema = z.object({
  is_reachable: z.boolean(),
  /** Milliseconds until the answer; null if it cannot be reached. */
  duration_ms: z.number().nullable(),
  /** '' if it can be reached. */
  reason: z.string(),
});
export type ModelAddressCheck = z.infer<typeof modelAddressCheckSchema>;

/** Function that runs elsewhere and answers at an address. */
export const endpointWriteSchema = z.object({
  configuration: configurationText,
  url: z.url({ protocol: /^https?$/ }),
  /** Sent with every call, for example credentials. Never included in answers. */
  headers: z.record(z.string(), z.string()).default({}),
});
