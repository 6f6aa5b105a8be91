import { AppError } from '../../platform/errors.ts';
import type { FileLabel, TaskData } from './task-data.ts';
import { withOverrides } from './with-overrides.ts';

/** Maps labels of the file to labels of the task; null drops their objects. */
export type LabelMapping = Readonly<Record<string, string | null>>;

/** Thrown if the user chose to drop an object, which is not an error of the file. */
export class LeftOutError extends AppError {
  constructor(message: string) {
    super('invalid', message);
    this.name = 'LeftOutError';
  }
}

/** Thrown for labels whose objects are all dropped. */
export class SkippedLabelError extends LeftOutError {
  constructor(label: string) {
    super(`Left out by the label mapping for "${label}".`);
    this.name = 'SkippedLabelError';
  }
}

/**
 * Wraps the task so that added objects get the label of the mapping, whatever the format. Unmapped labels and sublabels
 * are unchanged.
 */
export function withLabelMapping(task_data: TaskData, mapping: LabelMapping): TaskData {
  const targets = new Map(Object.entries(mapping).map(([name, target]) => [name.trim(), target]));
  const target = (label: string): string => {
    const mapped = targets.get(label);
    if (mapped === null) throw new SkippedLabelError(label);
    return mapped ?? label;
  };
  const mapped = <Item extends { readonly label: string }>(item: Item): Item => {
    const label = target(item.label);
    return label === item.label ? item : { ...item, label };
  };
  return withOverrides(task_data, {
    label: (name) => {
      const mappedName = targets.get(name);
      return mappedName === null ? undefined : task_data.label(mappedName ?? name);
    },
    add_tag: (tag) => task_data.add_tag(mapped(tag)),
    add_shape: (shape) => task_data.add_shape(mapped(shape)),
    add_track: (track) => task_data.add_track(mapped(track)),
    ...(task_data.declare_label
      ? {
          declare_label(label: FileLabel): void {
            const mappedName = targets.get(label.name);
            if (mappedName !== null) task_data.declare_label?.({ ...label, name: mappedName ?? label.name });
          },
        }
      : {}),
  });
}
