import type { Attribute, FileLabel, LabeledShape, LabelInfo, Tag, TaskData, Track, TrackedShape } from './task-data.ts';
import { withOverrides } from './with-overrides.ts';

/** Maps a list; returns the list itself if no item changed. */
function each<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  for (const [index, item] of items.entries())
    if (change(item) !== item) return [...items.slice(0, index), ...items.slice(index).map(change)];
  return items;
}

function tidyAttribute(attribute: Attribute): Attribute {
  const name = attribute.name.trim();
  return name === attribute.name ? attribute : { ...attribute, name };
}

const tidyAttributes = (attributes: readonly Attribute[]): readonly Attribute[] =>
  attributes.length === 0 ? attributes : each(attributes, tidyAttribute);

function tidyTag(tag: Tag): Tag {
  const [label, attributes] = [tag.label.trim(), tidyAttributes(tag.attributes)];
  return label === tag.label && attributes === tag.attributes ? tag : { ...tag, label, attributes };
}

function tidyShape(shape: LabeledShape): LabeledShape {
  const label = shape.label.trim();
  const attributes = tidyAttributes(shape.attributes);
  const elements = shape.elements && each(shape.elements, tidyShape);
  if (label === shape.label && attributes === shape.attributes && elements === shape.elements) return shape;
  // A spread copy loses getters, so `points` is copied explicitly.
  return { ...shape, points: shape.points, label, attributes, elements };
}

function tidyTracked(shape: TrackedShape): TrackedShape {
  const attributes = tidyAttributes(shape.attributes);
  return attributes === shape.attributes ? shape : { ...shape, attributes };
}

function tidyTrack(track: Track): Track {
  const { elements, attributes } = track;
  return {
    ...track,
    label: track.label.trim(),
    shapes: each(track.shapes, tidyTracked),
    attributes: attributes ? tidyAttributes(attributes) : undefined,
    elements: elements?.map(tidyTrack),
  };
}

const tidyInfo = (label: LabelInfo): LabelInfo => ({ ...label, ...tidyLabel(label) });

function tidyLabel({ attributes, sublabels, ...label }: FileLabel): FileLabel {
  return {
    ...label,
    name: label.name.trim(),
    attributes: attributes?.map((one) => ({ ...one, name: one.name.trim() })),
    sublabels: sublabels?.map(tidyInfo),
  };
}

/**
 * Wraps the task so that names of labels and attributes are trimmed, as in the API. Files may have `"cat "`, which no
 * task can have as a label.
 */
export function withTidyNames(task_data: TaskData): TaskData {
  return withOverrides(task_data, {
    label: (name) => task_data.label(name.trim()),
    add_tag: (tag) => task_data.add_tag(tidyTag(tag)),
    add_shape: (shape) => task_data.add_shape(tidyShape(shape)),
    add_track: (track) => task_data.add_track(tidyTrack(track)),
    declare_label: task_data.declare_label
      ? (label: FileLabel): void => task_data.declare_label?.(tidyLabel(label))
      : undefined,
  });
}
