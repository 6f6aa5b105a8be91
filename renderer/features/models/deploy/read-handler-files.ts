import type { NamedFile } from '../../../api/uploads.ts';
import { withoutCommonFolder, type HandlerFile } from './deploy-draft.ts';

/** Together: what the service takes as one request, less a third for its encoding. */
export const maxFilesBytes = 64 * 1024 * 1024;

export class FilesTooBig extends Error {}

const ignored = /(^|\/)(\.git|__pycache__|node_modules|\.DS_Store)(\/|$)/;

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(',') + 1);
}

/** Reads the files of a handler; what tools leave beside them is left out. @throws FilesTooBig */
export async function readHandlerFiles(chosen: readonly NamedFile[]): Promise<HandlerFile[]> {
  const files = withoutCommonFolder(chosen).filter(({ path }) => !ignored.test(path));
  const sizeBytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (sizeBytes > maxFilesBytes) throw new FilesTooBig();
  return Promise.all(
    files.map(async ({ path, file }) => ({ path, sizeBytes: file.size, base64: await base64Of(file) })),
  );
}
