import {
  nativeFunctionSchema,
  type NativeFields,
  type NativeFunction,
} from '../../../preload/contract/schema/native-functions.ts';
import { writeSkeletonSvg } from '../../../preload/geometry/skeleton-svg-writer.ts';
import type { DescribedFunction } from '../configuration/model-description.ts';
import { defined } from '../../platform/defined.ts';
import { nameOf, type NativeRow } from './native-repository.ts';

/** Unchanged, because agents compare the function with their file byte for byte. */
export function fromRow(row: NativeRow): NativeFunction {
  const { id, title, visibility, kind, fields, created_date } = row;
  return nativeFunctionSchema.parse({
    ...(JSON.parse(fields) as NativeFields),
    id,
    provider: 'native',
    name: title,
    visibility,
    kind,
    created_date,
  });
}

/** Converts a native function to a configuration, whose annotations contain its kind, labels and prompts. */
export function described(native: Omit<NativeFunction, 'created_date'>): DescribedFunction {
  const { kind, name: title, labels_v2: labels = [], supported_shape_types: types } = native;
  const spec = labels.map(({ sublabels, ...label }) =>
    // Native functions have no skeleton drawing, so the points are placed on a circle.
    label.type === 'skeleton' ? { ...label, sublabels: sublabels ?? [], svg: inCircle(sublabels ?? []) } : label,
  );
  return {
    name: nameOf(native),
    description: 'A native function of cvat-cli',
    annotations: {
      name: title,
      type: kind,
      spec: JSON.stringify(spec),
      version: kind === 'interactor' ? '2' : '1',
      min_pos_points: String(native.min_pos_points ?? 1),
      min_neg_points: String(native.min_neg_points ?? -1),
      startswith_box: String(native.startswith_box ?? false),
      startswith_box_optional: String(native.startswith_box_optional ?? false),
      ...defined({ supported_shape_types: types?.join(',') }),
    },
  };
}

function inCircle(parts: readonly { readonly name: string }[]): string {
  const nodes = parts.map(({ name }, index) => {
    const angle = (2 * Math.PI * index) / parts.length;
    return { name, x: 50 + 40 * Math.sin(angle), y: 50 - 40 * Math.cos(angle) };
  });
  return writeSkeletonSvg(nodes, []);
}
