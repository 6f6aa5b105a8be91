import { fillPath } from '../../preload/contract/client.ts';
import { modelFileInspectionSchema, type ModelFileInspection } from '../../preload/contract/schema/model-files.ts';
import { send, upload } from './client.ts';

export interface TrialAnswer {
  readonly text: string;
  readonly durationMs: number;
}

/** Calls a function with an image. Throws ApiError with the function's message on failure. */
export async function tryModel(
  name: string,
  image: Blob,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<TrialAnswer> {
  const started = performance.now();
  const query = Object.keys(fields).length === 0 ? '' : `?fields=${encodeURIComponent(JSON.stringify(fields))}`;
  const path = fillPath('/api/models/functions/{name}/invoke', { name }) + query;
  // The service detects the format from the bytes; the type only has to be an image type.
  const type = image.type.startsWith('image/') ? image.type : 'image/png';
  const response = await send(path, { method: 'POST', headers: { 'Content-Type': type }, body: image, signal });
  return { text: await response.text(), durationMs: performance.now() - started };
}

export async function followModelLog(name: string, onText: (text: string) => void, signal: AbortSignal): Promise<void> {
  const path = `${fillPath('/api/models/functions/{name}/logs', { name })}?follow=true`;
  const response = await send(path, { signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return;
    onText(piece.value);
  }
}

export interface FileUpload {
  readonly signal: AbortSignal;
  readonly onSent: (sentBytes: number) => void;
}

/** Uploads an archive of images (`docker save`) to the Engine and returns the names of the images. */
export async function uploadImageArchive(file: File, { signal, onSent }: FileUpload): Promise<string[]> {
  const { body } = await upload({
    method: 'POST',
    path: '/api/models/images/upload',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
    signal,
    onSent,
  });
  const images: unknown = Reflect.get(Object(body), 'images');
  return Array.isArray(images) ? images.map(String) : [];
}

/** @param model id of the uploaded model that the file belongs to; null for a model */
export async function uploadModelFile(
  file: File,
  model: string | null,
  { signal, onSent }: FileUpload,
): Promise<ModelFileInspection> {
  const part = model === null ? '' : `&model=${encodeURIComponent(model)}`;
  const { body } = await upload({
    method: 'POST',
    path: `/api/models/files/upload?name=${encodeURIComponent(file.name)}${part}`,
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
    signal,
    onSent,
  });
  return modelFileInspectionSchema.parse(body);
}
