import { isSystemFile, type Source, stripTopFolder } from '../io/source.ts';

export const labelSuffix = '-annotations-human-imagelabels.csv';
export const boxSuffix = '-annotations-bbox.csv';
export const maskSuffix = '-annotations-object-segmentation.csv';
export const imagesSuffix = '-images-with-rotation.csv';
export const classFile = 'class-descriptions.csv';
export const hierarchyFile = 'bbox_labels_600_hierarchy.json';
export const sizesFile = 'images.meta';

/** Flags of a box: column and attribute. `IsOccluded` is a field of shapes. */
export const flags = [
  { column: 'IsTruncated', attribute: 'truncated' },
  { column: 'IsGroupOf', attribute: 'is_group_of' },
  { column: 'IsDepiction', attribute: 'is_depiction' },
  { column: 'IsInside', attribute: 'is_inside' },
] as const;

export interface OpenImagesFiles {
  readonly source: Source;
  /** Files of each kind, with the subset in their name. */
  readonly labels: readonly SubsetFile[];
  readonly boxes: readonly SubsetFile[];
  readonly masks: readonly SubsetFile[];
  /** Class descriptions; `hasHeader` is true if the first row names the columns. */
  readonly classes: { readonly path: string; readonly hasHeader: boolean } | undefined;
  readonly sizes: string | undefined;
  readonly hasImageLists: boolean;
}

export interface SubsetFile {
  readonly path: string;
  readonly subset: string;
}

const isExpected = (path: string): boolean =>
  /^(?:annotations\/)?[^/]*(?:-annotations-(?:bbox|object-segmentation|human-imagelabels)|-with-rotation|image_ids_and_rotation|class-descriptions[^/]*)\.csv$/.test(
    path,
  );

/** Finds the files of Open Images V4 to V7, in a folder `annotations` or directly. */
export function findOpenImages(source: Source): OpenImagesFiles {
  const view = stripTopFolder(source, isExpected);
  const paths = view.entries
    .map(({ path }) => path)
    .filter((path) => !isSystemFile(path) && /^(?:annotations\/)?[^/]+$/.test(path));
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const withSuffix = (suffix: string): SubsetFile[] =>
    paths
      .filter((path) => path.endsWith(suffix))
      .map((path) => ({
        path,
        subset: nameOf(path)
          .slice(0, -suffix.length)
          .replace(/^oidv\d+-/, ''),
      }));
  const described = paths.find((path) => /^oidv.*-class-descriptions\.csv$/.test(nameOf(path)));
  const plain = ['class-descriptions-boxable.csv', classFile].map((name) =>
    paths.find((path) => nameOf(path) === name),
  );
  const older = plain.find((path) => path !== undefined);
  const path = described ?? older;
  return {
    source: view,
    labels: withSuffix(labelSuffix),
    boxes: withSuffix(boxSuffix),
    masks: withSuffix(maskSuffix),
    classes: path === undefined ? undefined : { path, hasHeader: described !== undefined },
    sizes: paths.find((one) => nameOf(one) === sizesFile),
    hasImageLists: paths.some((one) => /(-with-rotation|image_ids_and_rotation)\.csv$/.test(one)),
  };
}
