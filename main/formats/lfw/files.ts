import { isSystemFile, type Source } from '../io/source.ts';

/** The files of a subset: in a folder `annotations`, or without one. */
export interface LfwFiles {
  readonly subset: string;
  readonly pairs: string;
  readonly people: string | undefined;
  readonly landmarks: string | undefined;
}

/** `<subset>/annotations/pairs.txt`, at any depth. */
export function findLfwFiles(source: Source): LfwFiles[] {
  return source.entries.flatMap(({ path }): LfwFiles[] => {
    const match = /^((?:(?:.*\/)?([^/]+)\/)?annotations\/|(?:(?:.*\/)?([^/]+)\/)?)pairs\.txt$/.exec(path);
    if (!match || isSystemFile(path)) return [];
    const [, folder = '', above, own] = match;
    const beside = (name: string): string | undefined =>
      source.has(`${folder}${name}`) ? `${folder}${name}` : undefined;
    const subset = above ?? own ?? 'default';
    return [{ subset, pairs: path, people: beside('people.txt'), landmarks: beside('landmarks.txt') }];
  });
}
