import { isPromptHead, textAttribute, type ModelDescription } from '../../preload/contract/schema/model-files.ts';

/** Converts a description to configuration annotations, which contain the kind, labels and prompts. */
export function annotationsOf(title: string, description: ModelDescription): Record<string, string> {
  const { kind, labels, output, keypoints } = description;
  if (kind === 'interactor') {
    return {
      name: title,
      type: 'interactor',
      spec: '',
      version: '2',
      min_pos_points: '1',
      min_neg_points: '0',
      startswith_box_optional: 'true',
      help_message: 'Click on an object, or draw a box around it.',
    };
  }
  const text = { name: textAttribute, input_type: 'text', values: [] };
  const attributes = description.recognition === null ? {} : { attributes: [text] };
  const spec = [...new Set(labels)].map((name) => {
    if (output.shape !== 'skeleton') return { name, type: output.shape, ...attributes };
    const sublabels = keypoints.map((point) => ({ name: point, type: 'points' }));
    return { name, type: 'skeleton', sublabels, svg: skeletonSvg(keypoints) };
  });
  const phrases: Record<string, string> = isPromptHead(description.head) ? { takes_phrases: 'true' } : {};
  return { name: title, type: 'detector', spec: JSON.stringify(spec), ...phrases };
}

/** Points of a person in a drawing of 100 × 100. */
const person: readonly (readonly [number, number])[] = [
  [50, 10],
  [54, 7],
  [46, 7],
  [58, 9],
  [42, 9],
  [62, 24],
  [38, 24],
  [68, 40],
  [32, 40],
  [70, 54],
  [30, 54],
  [58, 54],
  [42, 54],
  [59, 74],
  [41, 74],
  [60, 94],
  [40, 94],
];
const personEdges = '1-2,1-3,2-4,3-5,6-7,6-8,8-10,7-9,9-11,6-12,7-13,12-13,12-14,14-16,13-15,15-17';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Uses a person's points if their number matches, else a circle. */
function skeletonSvg(keypoints: readonly string[]): string {
  const isPerson = keypoints.length === person.length;
  const places = keypoints.map((_, index): readonly [number, number] => {
    const angle = (2 * Math.PI * index) / keypoints.length;
    const place = isPerson ? person[index] : undefined;
    return place ?? [Math.round(50 + 40 * Math.sin(angle)), Math.round(50 - 40 * Math.cos(angle))];
  });
  const edges = (isPerson ? personEdges.split(',') : []).map((edge) => {
    const [from = 1, to = 1] = edge.split('-').map(Number);
    const [[x1, y1] = [0, 0], [x2, y2] = [0, 0]] = [places[from - 1], places[to - 1]];
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" data-type="edge" data-node-from="${from}" data-node-to="${to}"></line>`;
  });
  const circles = places.map(
    ([x, y], index) =>
      `<circle r="1.5" cx="${x}" cy="${y}" data-type="element node" data-element-id="${index + 1}" data-node-id="${index + 1}" data-label-name="${escaped(keypoints[index] ?? '')}"></circle>`,
  );
  return [...edges, ...circles].join('');
}
