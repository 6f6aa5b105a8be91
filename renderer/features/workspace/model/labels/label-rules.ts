import { attributeTakes, labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { AttributeValue } from '../../../../../preload/contract/schema/annotations.ts';
import type { Attribute, Label } from '../../../../../preload/contract/schema/labels.ts';
import { withValues } from '../../../../../preload/geometry/track-pieces.ts';
import { skeletonJoints, skeletonLayout } from '../../../../../preload/geometry/skeleton-joints.ts';
import { isOffered, toolIds, toolKinds } from '../../../../canvas/tool-kinds.ts';
import {
  noLabel,
  type CanvasLabel,
  type RecordPatch,
  type SceneRecord,
  type ToolId,
  type ToolOptions,
  type TrackRecord,
} from '../../../../canvas/types.ts';

export type LabelUse = ToolId | 'tag';

const shapeOf = (use: LabelUse): Label['type'] | undefined =>
  use === 'tag' ? 'tag' : isOffered(use) ? toolKinds[use].draws : undefined;

export const toolOfType = (type: Label['type']): ToolId | null => toolIds.find((id) => shapeOf(id) === type) ?? null;

export const isDrawTool = (tool: LabelUse): boolean => tool !== 'tag' && shapeOf(tool) !== undefined;

export function labelSuits(label: Pick<Label, 'type'>, use: LabelUse): boolean {
  const wanted = shapeOf(use);
  return wanted === undefined || labelTakes(label.type, wanted);
}

export const typeOf = (record: SceneRecord): Label['type'] => (record.kind === 'tag' ? 'tag' : record.type);

/** True if the object can have the label. A skeleton needs a label with all its points. */
export const labelSuitsRecord = (label: Label, record: SceneRecord, labels: readonly Label[]): boolean =>
  labelTakes(label.type, typeOf(record)) && pointLabels(record, label, labels) !== null;

/** Maps a skeleton's points to the new label by name; null if one is missing. */
function pointLabels(record: SceneRecord, label: Label, labels: readonly Label[]): readonly number[] | null {
  const elements = (record.kind === 'shape' ? record.elements : undefined) ?? [];
  const old = labels.find(({ id }) => id === record.labelId)?.sublabels ?? [];
  const found = elements.map((element) => {
    const name = old.find(({ id }) => id === element.labelId)?.name;
    return label.sublabels.find((point) => point.name === name)?.id;
  });
  return found.every((id) => id !== undefined) ? found : null;
}

export const firstValue = (attribute: Attribute): string => {
  if (attribute.default_value !== '') return attribute.default_value;
  if (attribute.input_type === 'checkbox') return 'false';
  return attribute.input_type === 'text' ? '' : (attribute.values[0] ?? '');
};

export const defaultAttributes = (label: Label): AttributeValue[] =>
  label.attributes.map((attribute) => ({ spec_id: attribute.id, value: firstValue(attribute) }));

export const drawnWith = (label: Label): ToolOptions => ({
  labelId: label.id,
  attributes: defaultAttributes(label),
  skeleton: skeletonLayout(label).map((at, index) => ({ ...at, labelId: label.sublabels[index]?.id ?? 0 })),
});

/** Attribute values kept under another label: those with the same name and an allowed value; defaults otherwise. */
export function copiedAttributes(
  values: readonly AttributeValue[],
  old: readonly { readonly id: number; readonly name: string }[],
  label: Label,
): AttributeValue[] {
  return defaultAttributes(label).map(({ spec_id, value }, index) => {
    const attribute = label.attributes[index];
    const same = old.find(({ name }) => name === attribute?.name);
    const had = values.find((item) => item.spec_id === same?.id)?.value;
    const stays = attribute !== undefined && had !== undefined && attributeTakes(attribute, had);
    return { spec_id, value: stays ? had : value };
  });
}

export function relabelled(record: SceneRecord, label: Label, labels: readonly Label[]): RecordPatch {
  if (record.labelId === label.id) return {};
  const points = pointLabels(record, label, labels);
  const elements = (record.kind === 'shape' ? record.elements : undefined)?.map((element, index) => ({
    ...element,
    labelId: points?.[index] ?? element.labelId,
    attributes: [],
  }));
  const old = labels.find(({ id }) => id === record.labelId)?.attributes ?? [];
  const attributes = copiedAttributes(record.attributes, old, label);
  return { labelId: label.id, attributes, ...(elements === undefined ? {} : { elements }) };
}

/** Relabels a track: every keyframe keeps the values that the new label allows. */
export function relabelledTrack(track: TrackRecord, label: Label, labels: readonly Label[]): TrackRecord {
  if (track.labelId === label.id) return track;
  const old = labels.find(({ id }) => id === track.labelId);
  const translated = (values: readonly AttributeValue[], mutable: boolean): AttributeValue[] =>
    values.flatMap(({ spec_id, value }) => {
      const name = old?.attributes.find(({ id }) => id === spec_id)?.name;
      const attribute = label.attributes.find((one) => one.name === name && one.mutable === mutable);
      return attribute !== undefined && attributeTakes(attribute, value) ? [{ spec_id: attribute.id, value }] : [];
    });
  const defaults = (mutable: boolean): AttributeValue[] =>
    label.attributes
      .filter((attribute) => attribute.mutable === mutable)
      .map((attribute) => ({ spec_id: attribute.id, value: firstValue(attribute) }));
  const keyframes = track.keyframes.map((one, index) => {
    const values = translated(one.attributes, true);
    return { ...one, attributes: index === 0 ? withValues(values, defaults(true)) : values };
  });
  const elements = track.elements?.map((part) => {
    const name = old?.sublabels.find(({ id }) => id === part.labelId)?.name;
    const point = label.sublabels.find((sublabel) => sublabel.name === name);
    const bare = part.keyframes.map((one) => ({ ...one, attributes: [] }));
    return { ...part, labelId: point?.id ?? part.labelId, attributes: [], keyframes: bare };
  });
  return {
    ...track,
    labelId: label.id,
    attributes: withValues(translated(track.attributes, false), defaults(false)),
    keyframes,
    ...(elements === undefined ? {} : { elements }),
  };
}

export function withAttribute(
  record: SceneRecord,
  edit: { readonly name: string; readonly value: string },
  labels: readonly Label[],
): RecordPatch {
  const label = labels.find(({ id }) => id === record.labelId);
  const attribute = label?.attributes.find(({ name }) => name === edit.name);
  if (attribute === undefined || !attributeTakes(attribute, edit.value)) return {};
  const others = record.attributes.filter(({ spec_id }) => spec_id !== attribute.id);
  return { attributes: [...others, { spec_id: attribute.id, value: edit.value }] };
}

const canvasType = (type: Label['type']): CanvasLabel['type'] => (type === 'interval' ? 'tag' : type);

const edgesOf = ({ svg, sublabels }: Label): [number, number][] =>
  skeletonJoints({ sublabels, ...(svg === undefined ? {} : { svg }) }).flatMap(([from, to]) => {
    const [start, end] = [sublabels[from - 1], sublabels[to - 1]];
    return start === undefined || end === undefined ? [] : [[start.id, end.id] satisfies [number, number]];
  });

/** A colour that is visible on every image. */
const unnamed: CanvasLabel = { name: '', color: '#4d7dff', type: 'any' };

export const canvasLabels = (labels: readonly Label[]): Map<number, CanvasLabel> =>
  new Map([
    [noLabel, unnamed] satisfies [number, CanvasLabel],
    ...labels.flatMap((label, order) => {
      const parts: (Label | Label['sublabels'][number])[] = [label, ...label.sublabels];
      return parts.map(({ id, name, color, type, attributes }): [number, CanvasLabel] => [
        id,
        {
          name,
          color,
          type: canvasType(type),
          order,
          attributeNames: new Map(attributes.map((attribute) => [attribute.id, attribute.name])),
          mutable: attributes.filter(({ mutable }) => mutable).map((attribute) => attribute.id),
          ...(id === label.id && type === 'skeleton' ? { edges: edgesOf(label) } : {}),
        },
      ]);
    }),
  ]);
