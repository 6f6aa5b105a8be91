import type { AttributeValue } from '../../../preload/contract/schema/annotations.ts';
import type { Attribute, Label } from '../../../preload/contract/schema/labels.ts';
import type { CanvasLabel, ToolId } from '../../canvas/types.ts';

/** What a label can be put on: the shape of a tool, or a frame. */
export type LabelUse = ToolId | 'tag';

/** The drawing tools of this screen with the shapes that they make. */
const shapeOfTool: Partial<Record<LabelUse, Label['type']>> = {
  rectangle: 'rectangle',
  ellipse: 'ellipse',
  polygon: 'polygon',
  polyline: 'polyline',
  points: 'points',
  tag: 'tag',
};

/** The tool that draws shapes of a type; null where this screen has none. */
export const toolOfType = (type: Label['type']): ToolId | null => {
  const found = Object.entries(shapeOfTool).find(([tool, shape]) => shape === type && tool !== 'tag');
  // The table's keys are tools.
  return found === undefined ? null : (found[0] as ToolId);
};

export const isDrawTool = (tool: LabelUse): boolean => shapeOfTool[tool] !== undefined && tool !== 'tag';

export function labelSuits(label: Pick<Label, 'type'>, use: LabelUse): boolean {
  const wanted = shapeOfTool[use];
  return wanted === undefined || label.type === 'any' || label.type === wanted;
}

/** Whether an existing object of a type can carry the label. */
export const labelSuitsType = (label: Pick<Label, 'type'>, type: Label['type']): boolean =>
  label.type === type || (label.type === 'any' && type !== 'skeleton');

const firstValue = (attribute: Attribute): string => {
  if (attribute.default_value !== '') return attribute.default_value;
  if (attribute.input_type === 'checkbox') return 'false';
  return attribute.input_type === 'text' ? '' : (attribute.values[0] ?? '');
};

/** What a new object of the label starts with. */
export const defaultAttributes = (label: Label): AttributeValue[] =>
  label.attributes.map((attribute) => ({ spec_id: attribute.id, value: firstValue(attribute) }));

const canvasType = (type: Label['type']): CanvasLabel['type'] => (type === 'interval' ? 'tag' : type);

export const canvasLabels = (labels: readonly Label[]): Map<number, CanvasLabel> =>
  new Map(
    labels
      .flatMap((label) => [label, ...label.sublabels])
      .map((label) => [label.id, { name: label.name, color: label.color, type: canvasType(label.type) }]),
  );
