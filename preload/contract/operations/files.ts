import { z } from 'zod';
import { raw, text } from '../operation.ts';
import { formatCandidatesSchema } from '../schema/formats.ts';
import { assetSchema } from '../schema/review.ts';

const params = z.object({ name: z.string() });

/** Logs, test calls and archives of functions. */
export const functionFileOperations = {
  getModelLog: raw.stream(
    '/api/models/functions/{name}/logs',
    'Log of the last deployment and of the container, as text',
    {
      params,
      query: z.object({
        follow: text('Continue until the client disconnects', { values: ['true', 'false'] }),
        tail: text("Number of lines of the container's log"),
      }),
    },
  ),
  invokeModel: raw.stream(
    '/api/models/functions/{name}/invoke',
    "Call a function directly with a JSON body or an image; returns the function's own answer",
    { method: 'POST', params },
  ),
  uploadModelImages: raw.stream('/api/models/images/upload', 'Import an image archive (docker save) from the body', {
    method: 'POST',
  }),
  uploadModelFile: raw.stream('/api/models/files/upload', 'Inspect an ONNX file from the body', {
    method: 'POST',
    query: z.object({
      name: text('Name of the file'),
      model: text('Id of the uploaded model that weights or a configuration belong to'),
    }),
  }),
} as const;

/** Images of guides. */
export const assetOperations = {
  createAsset: raw.bytes('/api/assets', 'Add an image to a guide (form fields guide_id and file)', {
    method: 'POST',
    statuses: [201],
    outputs: { 201: assetSchema },
    fileField: 'file',
  }),
  getAsset: raw.bytes('/api/assets/{uuid}', 'Image of a guide', {
    params: z.object({ uuid: z.string().regex(/^[0-9a-f-]{36}$/i) }),
  }),
} as const;

/** Limner extension. A finished upload can be named instead of being sent again. */
export const detectOperations = {
  detectFormats: raw.bytes('/api/limner/detect', 'Detect the formats that a file may have', {
    method: 'POST',
    statuses: [200],
    outputs: { 200: formatCandidatesSchema },
    query: z.object({ upload: text('Address of a resumable upload of annotations') }),
    fileField: 'file',
  }),
} as const;

const page = <const Path extends string>(path: Path) =>
  raw.bytes(path, 'Browsable API', { statuses: [200], open: true, hidden: true });

export const serverFileOperations = {
  downloadReport: raw.bytes(
    '/api/limner/report/file',
    'Diagnostic report: a ZIP archive with the log and facts about the program',
    { statuses: [200] },
  ),
  downloadRules: raw.bytes('/api/auth/rules', 'The permission rules', { statuses: [200], open: true }),
  /** The URL that the shells open. */
  launch: raw.bytes('/launch', 'Sign in by a one-time launch link', {
    statuses: [303],
    open: true,
    hidden: true,
    query: z.object({ token: text('Launch token'), next: text('Page to open after signing in: a path') }),
  }),
  getSchema: raw.bytes('/api/schema/', 'This document', {
    statuses: [200],
    open: true,
    query: z.object({ scheme: text('Format of the answer', { values: ['json', 'yaml'] }) }),
  }),
  getDocs: page('/api/docs/'),
  getSwagger: page('/api/swagger/'),
} as const;
