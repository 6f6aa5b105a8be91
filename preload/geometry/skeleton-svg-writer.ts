import { entities, type Joint } from './skeleton-joints.ts';

/** Point of a skeleton's template, in a box of 100 by 100. */
export interface TemplateNode {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

interface DescribedNode extends TemplateNode {
  readonly color?: string | undefined;
  readonly attributes: readonly object[];
}

function encodeEntities(text: string): string {
  return text.replace(/[&<>"]/g, (character) => {
    const name = Object.entries(entities).find(([, value]) => value === character)?.[0];
    return name === undefined ? character : `&${name};`;
  });
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

function marksOf(nodes: readonly TemplateNode[], joints: readonly Joint[]): string[] {
  const lines = joints.flatMap(([from, to]) => {
    const [start, end] = [nodes[from - 1], nodes[to - 1]];
    if (start === undefined || end === undefined) return [];
    const places = `x1="${rounded(start.x)}" y1="${rounded(start.y)}" x2="${rounded(end.x)}" y2="${rounded(end.y)}"`;
    return [`<line ${places} data-type="edge" data-node-from="${from}" data-node-to="${to}"></line>`];
  });
  const circles = nodes.map(({ name, x, y }, index) => {
    const place = `r="0.75" cx="${rounded(x)}" cy="${rounded(y)}"`;
    const ids = `data-element-id="${index + 1}" data-node-id="${index + 1}"`;
    return `<circle ${place} data-type="element node" ${ids} data-label-name="${encodeEntities(name)}"></circle>`;
  });
  return [...lines, ...circles];
}

/** SVG of a skeleton's label: lines, then a circle for each point, in order. */
export const writeSkeletonSvg = (nodes: readonly TemplateNode[], joints: readonly Joint[]): string =>
  marksOf(nodes, joints).join('\n');

/**
 * SVG as a separate file, with the properties of its points. No white space between elements, because CVAT rejects it.
 */
export function writeSkeletonFile(nodes: readonly DescribedNode[], joints: readonly Joint[]): string {
  const specification = nodes.map(({ name, color, attributes }, index) => {
    const plain = attributes.map((attribute) => ({ ...attribute, id: undefined }));
    return [index + 1, { name, attributes: plain, color, type: 'points', has_parent: true }] as const;
  });
  const labels = encodeEntities(JSON.stringify(Object.fromEntries(specification)));
  const description = `<desc data-description-type="labels-specification">${labels}</desc>`;
  const frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">';
  return `${frame}${marksOf(nodes, joints).join('')}${description}</svg>`;
}
