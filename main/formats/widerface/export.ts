import { boxExtent } from '../kit/box-extent.ts';
import { boxProblem, createCarrier, createLossNotes } from '../kit/dropped-details.ts';
import { writeItemArchive } from '../kit/item-archive.ts';
import { labelFolderProblem, noLabel } from '../kit/label-folders.ts';
import { oneLine } from '../kit/mask-files/label-colors.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { LabeledShape, Tag } from '../kit/task-data.ts';
import { columns, faceLabel, format, isImageLine, unknownValue } from './files.ts';

/**
 * Writes WiderFace: for each image the boxes of its faces with six values each. The image's folder is the image label
 * with its number in front.
 */
export const exportWiderFace: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const numbers = new Map(task_data.meta.labels.map(({ name }, index) => [name, index]));
  const boxNotes = createLossNotes(report, format, { attributes: new Set<string>(columns), occluded: true });
  const tagNotes = createLossNotes(report, format, {});
  boxNotes.tracks(task_data);

  const problemOf = (shape: LabeledShape): string | undefined => {
    const { label } = shape;
    const problem = boxProblem(shape, format);
    if (problem !== undefined) return problem;
    if (!numbers.has(label)) return 'The label is not a label of the task.';
    // Readers distinguish image names from rows by a slash.
    if (/[\\/\r\n]/.test(label) || label !== label.trim() || (label !== faceLabel && isImageLine(label)))
      return `${format} has labels in rows, and this one would make the row unreadable.`;
    return undefined;
  };

  const valueOf = (shape: LabeledShape, name: string): string => {
    const stated = shape.attributes.find((attribute) => attribute.name === name)?.value;
    if (stated === undefined) return name === 'occluded' && shape.occluded ? '1' : unknownValue;
    if (stated === unknownValue || stated === '' || /[\s\\/]/.test(stated)) {
      report.dropped('attribute', shape.label, `${format} has values of one word: "${name}" has another value.`);
      return unknownValue;
    }
    const isSet = stated !== '0' && stated.toLowerCase() !== 'false';
    if (name === 'occluded' && isSet !== shape.occluded)
      report.dropped(shape.type, shape.label, `${format} has one value for "occluded": the attribute was written.`);
    return stated;
  };

  const rowOf = (shape: LabeledShape): string => {
    const { label, points } = shape;
    const values = columns.map((name) => valueOf(shape, name));
    const name = label === faceLabel ? '' : label;
    // A label with spaces is only readable after all six values.
    const isLong = values.some((value) => value !== unknownValue) || /\s/.test(name);
    return `${[...boxExtent(points), ...(isLong ? values : []), ...(name === '' ? [] : [name])].join(' ')}\n`;
  };

  const tagProblem = ({ label }: Tag, included: readonly Tag[]): string | undefined => {
    if (included.length > 0) return `${format} has one image-level label.`;
    return numbers.has(label) ? labelFolderProblem(label, format) : 'The label is not a label of the task.';
  };
  const folderOf = (tags: readonly Tag[]): string => {
    const [tag] = createCarrier(report, tagNotes).tags(tags, tagProblem);
    return tag ? `${numbers.get(tag.label)}--${tag.label}` : noLabel;
  };

  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem({ frame, subset, image }, { spill }) {
      const rows = createCarrier(report, boxNotes).shapes(frame.labeled_shapes, problemOf).map(rowOf);
      const path = `${folderOf(frame.tags)}/${image}`;
      const count = rows.length > 0 ? `${rows.length}\n` : '';
      spill.open(`wider_face_split/wider_face_${subset}_bbx_gt.txt`).text(`${path}\n${count}${rows.join('')}`);
      return [`WIDER_${subset}/images/${path}`];
    },
    async finish({ text }) {
      await text('labels.txt', task_data.meta.labels.map(({ name }) => oneLine(name, report)).join('\n'));
    },
  });
};
