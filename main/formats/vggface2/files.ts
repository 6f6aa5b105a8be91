import { isSystemFile, type Source } from '../io/source.ts';

export const format = 'VGGFace2';
export const boxColumns = ['X', 'Y', 'W', 'H'];
export const landmarkColumns = [1, 2, 3, 4, 5].flatMap((number) => [`P${number}X`, `P${number}Y`]);
export const nameColumn = 'NAME_ID';

export interface VggFile {
  readonly path: string;
  readonly kind: 'boxes' | 'landmarks';
  readonly subset: string;
  /** The folder that holds the data set, with its slash, or ''. */
  readonly root: string;
}

/** `bb_landmark/loose_bb_<subset>.csv` and `loose_landmark_<subset>.csv`, at any depth. */
export function findVggFiles(source: Source): VggFile[] {
  return source.entries.flatMap(({ path }): VggFile[] => {
    const match = /^(.*\/)?bb_landmark\/loose_(bb|landmark)_([^/]+)\.csv$/.exec(path);
    if (!match || isSystemFile(path)) return [];
    const [, root = '', kind, subset = ''] = match;
    return [{ path, root, subset, kind: kind === 'bb' ? 'boxes' : 'landmarks' }];
  });
}
