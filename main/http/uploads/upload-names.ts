import { isComplete, type Upload, type UploadScope } from './upload-files.ts';

/**
 * Names of complete uploads by scope and user, in memory: otherwise each new upload would read the descriptions of all
 * earlier ones.
 */
export function createUploadNames(list: (scope: UploadScope, userId: number) => Promise<readonly Upload[]>) {
  const known = new Map<string, Set<string>>();
  const keyOf = (scope: UploadScope, userId: number): string => `${scope} ${userId}`;

  async function read(scope: UploadScope, userId: number): Promise<Set<string>> {
    const uploads = await list(scope, userId);
    const names = new Set(uploads.filter(isComplete).map(({ name }) => name));
    known.set(keyOf(scope, userId), names);
    return names;
  }

  return {
    async has(scope: UploadScope, userId: number, name: string): Promise<boolean> {
      const names = known.get(keyOf(scope, userId)) ?? (await read(scope, userId));
      // A hit is read again, because abandoned uploads are removed by age.
      return names.has(name) && (await read(scope, userId)).has(name);
    },
    add(scope: UploadScope, uploads: readonly Upload[]): void {
      for (const upload of uploads.filter(isComplete)) known.get(keyOf(scope, upload.userId))?.add(upload.name);
    },
    forget(scope: UploadScope, uploads: readonly Upload[]): void {
      for (const { userId } of uploads) known.delete(keyOf(scope, userId));
    },
  };
}
