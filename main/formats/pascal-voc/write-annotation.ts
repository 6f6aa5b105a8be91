import { escapeXmlText } from '../io/xml-writer.ts';
import type { FormatReport } from '../kit/report.ts';
import { isKeyframe } from '../kit/skeletons.ts';
import type { Attribute, FrameInfo, LabeledShape, LabelInfo } from '../kit/task-data.ts';

/** Fields of their own in an annotation file. */
const nativeFlags = ['truncated', 'difficult'];
/** What the list of attributes keeps for the shape itself. */
const reserved = new Set(['rotation', 'track_id', 'keyframe', 'outside', 'z_order', 'score', 'occluded', 'source']);

function leaf(depth: number, name: string, text: string): string {
  return `${'  '.repeat(depth)}<${name}>${escapeXmlText(text)}</${name}>\n`;
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|1|yes)$/i.test(value);
}

function shapeFields(shape: LabeledShape): Attribute[] {
  const { rotation = 0, track_id: trackId, z_order: zOrder, score, outside, source } = shape;
  const field = (name: string, value: string | number | boolean): Attribute => ({ name, value: String(value) });
  return [
    ...(rotation === 0 ? [] : [field('rotation', rotation)]),
    ...(trackId === undefined ? [] : [field('track_id', trackId), field('keyframe', isKeyframe(shape))]),
    ...(zOrder === 0 ? [] : [field('z_order', zOrder)]),
    ...(score === undefined || score === 1 ? [] : [field('score', score)]),
    ...(outside === true ? [field('outside', true)] : []),
    ...(source === 'auto' || source === 'semi-auto' || source === 'consensus' ? [field('source', source)] : []),
  ];
}

function writeAttributes(attributes: readonly Attribute[]): string {
  if (attributes.length === 0) return '';
  const each = attributes.map(
    ({ name, value }) => `      <attribute>\n${leaf(4, 'name', name)}${leaf(4, 'value', value)}      </attribute>\n`,
  );
  return `    <attributes>\n${each.join('')}    </attributes>\n`;
}

export interface ObjectOptions {
  readonly report: FormatReport;
  readonly label: LabelInfo | undefined;
  readonly isOneBased: boolean;
}

/** One rectangle as an `object`. Its rotation, and what else the format has no field for, stands among its attributes. */
export function writeObject(shape: LabeledShape, { report, label, isOneBased }: ObjectOptions): string {
  const own = new Map(shape.attributes.map(({ name, value }) => [name, value]));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
  const shift = isOneBased ? 1 : 0;
  const others = shape.attributes.filter(({ name }) => {
    if (nativeFlags.includes(name) || name === 'pose') return false;
    if (!reserved.has(name)) return true;
    report.lost('attribute', shape.label, `PASCAL VOC files use the attribute name "${name}" for something else.`);
    return false;
  });
  const pose = own.get('pose');
  // A flag that is no checkbox of the label may have any text: then it stands among the attributes too.
  const texts = nativeFlags.flatMap((name) => {
    const value = own.get(name);
    const isText = label?.attributes.find((attribute) => attribute.name === name)?.input_type !== 'checkbox';
    return value !== undefined && isText && !/^(true|false)$/.test(value) ? [{ name, value }] : [];
  });
  const box = {
    xmin: Math.min(x1, x2) + shift,
    ymin: Math.min(y1, y2) + shift,
    xmax: Math.max(x1, x2),
    ymax: Math.max(y1, y2),
  };
  return [
    '  <object>\n',
    leaf(2, 'name', shape.label),
    pose === undefined ? '' : leaf(2, 'pose', pose),
    leaf(2, 'truncated', isTrue(own.get('truncated')) ? '1' : '0'),
    leaf(2, 'occluded', shape.occluded ? '1' : '0'),
    leaf(2, 'difficult', isTrue(own.get('difficult')) ? '1' : '0'),
    '    <bndbox>\n',
    ...Object.entries(box).map(([name, value]) => leaf(3, name, String(value))),
    '    </bndbox>\n',
    writeAttributes([...shapeFields(shape), ...texts, ...others]),
    '  </object>\n',
  ].join('');
}

/** The head of an annotation file, up to its objects. */
export function writeHead(frame: FrameInfo, fileName: string, isSegmented: boolean): string {
  const underscore = frame.name.indexOf('_');
  const hasSize = frame.width > 0 && frame.height > 0;
  return [
    '<annotation>\n',
    leaf(1, 'folder', underscore > 0 ? frame.name.slice(0, underscore) : ''),
    leaf(1, 'filename', fileName),
    '  <source>\n',
    ...['database', 'annotation', 'image'].map((name) => leaf(2, name, 'Unknown')),
    '  </source>\n',
    hasSize
      ? `  <size>\n${leaf(2, 'width', String(frame.width))}${leaf(2, 'height', String(frame.height))}    <depth></depth>\n  </size>\n`
      : '',
    leaf(1, 'segmented', isSegmented ? '1' : '0'),
  ].join('');
}
