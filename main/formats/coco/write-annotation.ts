import { compressCounts } from '../../../preload/geometry/run-length.ts';
import { asciiPiece } from '../io/byte-writer.ts';
import type { JsonWriter } from '../io/json-writer.ts';
import { fieldNames, tellingSources } from '../kit/read-attributes.ts';
import type { FormatReport } from '../kit/report.ts';
import { isKeyframe } from '../kit/skeletons.ts';
import type { Attribute, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import type { CocoInstance } from './coco-instances.ts';
import { crowdName } from './crowd.ts';
import type { FixedPolygon } from './fast/fast-codec.ts';
import { addDecimals, finite } from '../kit/short-decimals.ts';

export interface CocoCategory {
  readonly id: number;
  readonly label: LabelInfo;
  readonly supercategory: string;
}

/** Reason why an attribute name is reserved, or undefined. */
export function reservedProblem(name: string): string | undefined {
  return name === crowdName || fieldNames.has(name)
    ? `COCO files use the attribute name "${name}" for something else.`
    : undefined;
}

/** Attribute value in the type that the label states, if it reads back as the same text. */
export function valueInFile({ name, value }: Attribute, label: LabelInfo): string | number | boolean {
  const type = label.attributes.find((attribute) => attribute.name === name)?.input_type;
  if (type === 'checkbox') return value.toLowerCase() === 'true';
  const number = Number(value);
  return type === 'number' && String(number) === value && Number.isFinite(number) ? number : value;
}

/** Assigns category ids from `first` in the order of the labels. The sublabels of a skeleton follow it. */
export function createCategories(labels: readonly LabelInfo[], first = 1): Map<string, CocoCategory> {
  const categories = new Map<string, CocoCategory>();
  let id = first - 1;
  const add = (label: LabelInfo, supercategory: string): void => {
    id += 1;
    const category: CocoCategory = { id, label, supercategory };
    // Sublabels can repeat a name. Shapes of this format have no sublabels, so the name means the label.
    if (supercategory === '') categories.set(label.name, category);
    else categories.set(`${supercategory}\u0000${label.name}`, category);
    for (const sublabel of label.sublabels) add(sublabel, label.name);
  };
  for (const label of labels) add(label, '');
  return categories;
}

/** Constant pieces of every annotation. */
const firstId = asciiPiece('{"id":');
const nextId = asciiPiece(',{"id":');
const imageKey = asciiPiece(',"image_id":');
const categoryKey = asciiPiece(',"category_id":');
const segmentationKey = asciiPiece(',"segmentation":');
const areaKey = asciiPiece(',"area":');
const boxKey = asciiPiece(',"bbox":[');
const comma = asciiPiece(',');
const polygonStart = asciiPiece('[[');
const polygonEnd = asciiPiece(']]');
const crowdFlag = asciiPiece('],"iscrowd":1');
const noCrowdFlag = asciiPiece('],"iscrowd":0');
const occludedAttributes = asciiPiece(',"attributes":{"occluded":true');
const visibleAttributes = asciiPiece(',"attributes":{"occluded":false');
const end = asciiPiece('}');

export function createAnnotationWriter(
  json: JsonWriter,
  categories: ReadonlyMap<string, CocoCategory>,
  report: FormatReport,
  takeId: () => number,
) {
  let isFirst = true;

  const writeSegmentation = ({ polygons, fixed, runs, isCompressed = false }: CocoInstance): void => {
    if (fixed) {
      json.piece(polygonStart);
      json.fixedList(fixed.units, fixed.exponent, 0, fixed.count);
      json.piece(polygonEnd);
      return;
    }
    if (runs) {
      if (isCompressed) {
        json.ascii('{"counts":');
        json.string(compressCounts(runs.counts));
      } else {
        json.ascii('{"counts":[');
        json.numberList(runs.counts, 0, runs.counts.length);
        json.ascii(']');
      }
      json.ascii(`,"size":[${runs.height},${runs.width}]}`);
      return;
    }
    json.ascii('[');
    for (const [index, points] of polygons.entries()) {
      json.ascii(index === 0 ? '[' : ',[');
      json.numberList(points, 0, points.length);
      json.ascii(']');
    }
    json.ascii(']');
  };

  /** Units with two decimals or fewer need no rounding. */
  const writeUnitBox = ({ box: [left, top, right, bottom], exponent }: FixedPolygon): void => {
    json.fixed(left, exponent);
    json.piece(comma);
    json.fixed(top, exponent);
    json.piece(comma);
    json.fixed(right - left, exponent);
    json.piece(comma);
    json.fixed(bottom - top, exponent);
  };

  /** A box without an outline keeps all decimals. A box beside an outline only repeats it and is rounded. */
  const writeBox = ({ leader, fixed, box: [left, top, right, bottom] }: CocoInstance): void => {
    if (fixed && fixed.exponent <= 2) {
      writeUnitBox(fixed);
      return;
    }
    const isAlone = leader.type === 'rectangle';
    const put = isAlone ? json.number : json.hundredths;
    put(left);
    json.piece(comma);
    put(top);
    json.piece(comma);
    put(finite(isAlone ? addDecimals(right, -left) : right - left));
    json.piece(comma);
    put(finite(isAlone ? addDecimals(bottom, -top) : bottom - top));
  };

  const writeKeypoints = (keypoints: readonly number[]): void => {
    json.ascii(',"keypoints":[');
    json.numberList(keypoints, 0, keypoints.length);
    json.ascii(`],"num_keypoints":${keypoints.filter((state, index) => index % 3 === 2 && state !== 0).length}`);
  };

  const writeOwnAttribute = (attribute: Attribute, label: LabelInfo): void => {
    const { name } = attribute;
    const problem = reservedProblem(name);
    if (problem !== undefined) {
      if (name !== crowdName) report.dropped('attribute', label.name, problem);
      return;
    }
    json.ascii(',');
    json.string(name);
    json.ascii(':');
    json.value(valueInFile(attribute, label));
  };

  const writeAttributes = (shape: LabeledShape, label: LabelInfo): void => {
    json.piece(shape.occluded ? occludedAttributes : visibleAttributes);
    if (shape.type === 'rectangle') {
      json.ascii(',"rotation":');
      json.number(shape.rotation ?? 0);
    }
    if (shape.outside === true) json.ascii(',"outside":true');
    if (tellingSources.has(shape.source)) json.ascii(`,"source":"${shape.source}"`);
    if (shape.z_order !== 0) json.ascii(`,"z_order":${shape.z_order}`);
    if (shape.track_id !== undefined) json.ascii(`,"track_id":${shape.track_id},"keyframe":${isKeyframe(shape)}`);
    for (const attribute of shape.attributes) writeOwnAttribute(attribute, label);
    json.piece(end);
  };

  return {
    write(instance: CocoInstance, imageId: number): void {
      const { leader, area, isCrowd } = instance;
      const category = categories.get(leader.label);
      if (!category) {
        report.dropped(leader.type, leader.label, 'The label is not in the list of labels.');
        return;
      }
      json.piece(isFirst ? firstId : nextId);
      json.number(takeId());
      json.piece(imageKey);
      json.number(imageId);
      json.piece(categoryKey);
      json.number(category.id);
      json.piece(segmentationKey);
      isFirst = false;
      writeSegmentation(instance);
      json.piece(areaKey);
      json.number(finite(area));
      json.piece(boxKey);
      writeBox(instance);
      json.piece(isCrowd ? crowdFlag : noCrowdFlag);
      if (instance.keypoints) writeKeypoints(instance.keypoints);
      if (leader.score !== undefined && leader.score !== 1) json.ascii(`,"score":${leader.score}`);
      writeAttributes(leader, category.label);
      json.piece(end);
    },
  };
}
