import { subsetName, withoutExtension } from '../kit/dataset-items.ts';
import { createCarrier, createLossNotes } from '../kit/dropped-details.ts';
import { type ArchiveItem, writeItemArchive } from '../kit/item-archive.ts';
import { createNameClaims, inLabelFolder, labelFolderProblem, nameIsTaken } from '../kit/label-folders.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { Frame, FrameInfo, LabeledShape, Tag, TaskData } from '../kit/task-data.ts';
import { format, negativePairs, nobody, positivePairs, readPairsText, tokenOf } from './pairs.ts';

const landmarkNumbers = 10;

/** Fields are separated by tabs. */
const isWritable = (name: string): boolean => !/[\t\r\n]/.test(name);

/** The tag that names the person of an image: the first that can be written. */
function personTag({ tags, name }: Frame): Tag | undefined {
  return isWritable(name) ? tags.find(({ label }) => labelFolderProblem(label, format) === undefined) : undefined;
}

/** Name of an image in rows; `rest` is the name without the person's folder. */
interface NamedImage {
  readonly person: string | undefined;
  readonly rest: string;
}

function namedImage({ name }: FrameInfo, person: string | undefined): NamedImage {
  const stem = withoutExtension(name);
  return { person, rest: person === undefined ? stem : inLabelFolder(person, stem).slice(person.length + 1) };
}

/** All images of the task by subset and by the names that pairs may use. */
function indexImages(task_data: TaskData): ReadonlyMap<string, NamedImage> {
  const images = new Map<string, NamedImage>();
  for (const frame of task_data.group_by_frame(true)) {
    const image = namedImage(frame, personTag(frame)?.label);
    const subset = subsetName(frame, format);
    const names = [
      withoutExtension(frame.name),
      ...(image.person === undefined ? [] : [`${image.person}/${image.rest}`]),
    ];
    for (const name of names) images.set(`${subset}\u0000${name}`, image);
  }
  return images;
}

/**
 * Writes LFW: the person of each image, pairs of images of the same person and of different ones, and five face
 * landmarks.
 */
export const exportLfw: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const tagNotes = createLossNotes(report, format, { attributes: new Set([positivePairs, negativePairs]) });
  const pointNotes = createLossNotes(report, format, {});
  pointNotes.tracks(task_data);
  const faces = createCarrier(report, pointNotes);
  const images = indexImages(task_data);
  const labels = new Set(task_data.meta.labels.map(({ name }) => name));
  const counts = new Map<string, Map<string, number>>();
  const claim = createNameClaims();

  const tagOf = ({ frame, subset, stem }: ArchiveItem): Tag | undefined => {
    const found = personTag(frame);
    const isFree = found !== undefined && claim(`${subset}/${inLabelFolder(found.label, stem)}`, frame);
    for (const tag of frame.tags) {
      if (tag === found && isFree) continue;
      const problem =
        labelFolderProblem(tag.label, format) ??
        (isWritable(frame.name) ? undefined : `${format} separates image names by tabs.`);
      report.dropped(
        'tag',
        tag.label,
        problem ?? (tag === found ? nameIsTaken : `${format} has one person per image.`),
      );
    }
    return isFree ? found : undefined;
  };

  /** Rows of an image's pairs. Both images must be in the subset. */
  const pairRows = (tag: Tag, image: NamedImage, subset: string): string[] => {
    const own = `${tag.label}\t${tokenOf(tag.label, image.rest)}`;
    const lose = (name: string, why: string): string[] => {
      report.dropped('attribute', tag.label, `"${name}" names an image ${why}.`);
      return [];
    };
    return tag.attributes.flatMap(({ name, value }) => {
      if (name !== positivePairs && name !== negativePairs) return [];
      return readPairsText(value).flatMap((other) => {
        const found = images.get(`${subset}\u0000${other}`) ?? images.get(`${subset}\u0000${withoutExtension(other)}`);
        if (!found || !isWritable(found.rest)) return lose(name, 'that the subset does not have');
        const { person, rest } = found;
        if (name === positivePairs)
          return person === tag.label ? [`${own}\t${tokenOf(person, rest)}\n`] : lose(name, 'of another person');
        return [`${own}\t${person ?? nobody}\t${person === undefined ? rest : tokenOf(person, rest)}\n`];
      });
    });
  };

  const landmarkProblem = (
    { type, points, label }: LabeledShape,
    { frame, subset, stem }: ArchiveItem,
  ): string | undefined => {
    if (type !== 'points') return `${format} has persons as image-level labels, and points of five landmarks.`;
    if (points.length !== landmarkNumbers)
      return `${format} needs five landmarks of a face: this has ${points.length / 2} points.`;
    if (!points.every(Number.isFinite)) return 'Its coordinates are not finite numbers.';
    if (!isWritable(frame.name)) return `${format} separates image names by tabs.`;
    const problem = labelFolderProblem(label, format);
    if (problem !== undefined) return problem;
    return claim(`${subset}/${inLabelFolder(label, stem)}`, frame) ? undefined : nameIsTaken;
  };

  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem(item, { spill }) {
      const { frame, subset, stem, image } = item;
      const pairs = spill.open(`${subset}/annotations/pairs.txt`);
      const tag = tagOf(item);
      if (tag) {
        tagNotes.tag(tag);
        report.included('tag', tag.label);
        const own = counts.get(subset) ?? new Map<string, number>();
        counts.set(subset, own.set(tag.label, (own.get(tag.label) ?? 0) + 1));
        const rows = pairRows(tag, namedImage(frame, tag.label), subset);
        pairs.text(rows.length > 0 ? rows.join('') : `${inLabelFolder(tag.label, stem)}\n`);
      } else if (isWritable(stem) && !labels.has(stem.split('/')[0] ?? '')) pairs.text(`${stem}\n`);
      for (const { label, points } of faces.shapes(frame.labeled_shapes, (shape) => landmarkProblem(shape, item))) {
        const fields = [inLabelFolder(label, image), ...points];
        spill.open(`${subset}/annotations/landmarks.txt`).text(`${fields.join('\t')}\n`);
      }
      return [`${subset}/images/${tag ? inLabelFolder(tag.label, image) : image}`];
    },
    async finish({ text }, subsets) {
      const names = [...labels].filter((name) => labelFolderProblem(name, format) === undefined);
      for (const subset of subsets) {
        const lines = names.map((name) => `${name}\t${counts.get(subset)?.get(name) ?? 0}\n`);
        await text(`${subset}/annotations/people.txt`, lines.join(''));
      }
    },
  });
};
