import { AppError } from '../../platform/errors.ts';
import type { FileLabel, TaskData } from './task-data.ts';
import { withOverrides } from './with-overrides.ts';

/** Labels of the file, each with the task's label to use instead, or null to leave its objects out. */
export type LabelMapping = Readonly<Record<string, string | null>>;

/** The person asked to leave an object out: a choice, not a fault of the file. */
export class LeftOutError extends AppError {
  constructor(message: string) {
    super('invalid', message);
    this.name = 'LeftOutError';
  }
}

/** All objects of this label are left out. */
export class SkippedLabelError extends LeftOutError {
  constructor(label: string) {
    super(`Left out, as the label mapping says for "${label}".`);
    this.name = 'SkippedLabelError';
  }
}

/**
 * The task as an importer sees it when the person maps labels: whatever the format, objects change their label on
 * their way in. Labels that the mapping does not name keep theirs; sublabels belong to their skeleton and keep theirs.
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
