import { type ArchiveItem, writeItemArchive } from '../kit/item-archive.ts';
import { noteUnreadable } from '../kit/label-folders.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { Tag } from '../kit/task-data.ts';
import {
  attributeNames,
  boxFolder,
  format,
  personLabel,
  type PersonName,
  personName,
  queryFolder,
  readPersonName,
} from './names.ts';

/**
 * Writes Market-1501: images, or lists of images, whose names contain the person, the camera and the position in its
 * video.
 */
export const exportMarket: Exporter = async (file_object, task_data, options) => {
  const { report, save_images } = options;
  const notes = createLossNotes(report, format, { attributes: new Set<string>(attributeNames) });
  notes.tracks(task_data);
  /** Next free frame number by person, camera and track. */
  const nextFrames = new Map<string, number>();
  const taken = new Set<string>();
  let misleading = 0;

  const numberOf = (tag: Tag, name: (typeof attributeNames)[number], fallback: number, most = 999_999_999): number => {
    const stated = tag.attributes.find((attribute) => attribute.name === name)?.value.trim();
    if (stated === undefined || stated === '') return fallback;
    if (/^\d{1,9}$/.test(stated) && Number(stated) <= most) return Number(stated);
    report.dropped('attribute', tag.label, `${format} has an integer for "${name}": ${fallback} was written.`);
    return fallback;
  };

  const tagProblem = (tag: Tag, isFirst: boolean): string | undefined => {
    if (tag.label !== personLabel) return `${format} has the label "${personLabel}" only.`;
    if (!isFirst) return `${format} has one person per image.`;
    const person = tag.attributes.find(({ name }) => name === 'person_id')?.value ?? '';
    return /^-?\d{1,9}$/.test(person) ? undefined : `${format} needs the attribute person_id, a number.`;
  };

  /** The tag that determines the image's name. */
  const tagOf = ({ frame }: ArchiveItem): Tag | undefined => {
    let found: Tag | undefined;
    for (const tag of frame.tags) {
      const problem = tagProblem(tag, !found);
      if (problem !== undefined) {
        report.dropped('tag', tag.label, problem);
        continue;
      }
      found = tag;
    }
    return found;
  };

  const nameOf = (tag: Tag, base: string): string => {
    const person = tag.attributes.find(({ name }) => name === 'person_id')?.value ?? '';
    const camera = numberOf(tag, 'camera_id', 0, 999_999_998);
    const track = numberOf(tag, 'track_id', 1);
    const film = `${person} ${camera} ${track}`;
    const frame = numberOf(tag, 'frame_id', nextFrames.get(film) ?? 0);
    nextFrames.set(film, Math.max(nextFrames.get(film) ?? 0, frame + 1));
    const box = numberOf(tag, 'bbox_id', 0);
    const numbers: PersonName = { person, camera, track, frame, box, rest: '' };
    // An image that already has such a name keeps it.
    return personName(numbers) === base ? base : personName({ ...numbers, rest: base });
  };

  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem(item, { spill }) {
      const { frame, subset, stem, image } = item;
      for (const { type, label } of frame.labeled_shapes)
        report.dropped(type, label, `${format} has image-level labels only.`);
      const tag = tagOf(item);
      const slash = stem.lastIndexOf('/') + 1;
      const base = stem.slice(slash);
      if (!tag && readPersonName(base)) {
        misleading += 1;
        return [];
      }
      const isQuery = tag?.attributes.find(({ name }) => name === 'query')?.value.toLowerCase() === 'true';
      const name = tag ? nameOf(tag, base) : base;
      const folder = isQuery ? queryFolder : `${boxFolder}${subset}`;
      const path = `${folder}/${stem.slice(0, slash)}${name}${image.slice(stem.length)}`;
      if (taken.has(path)) {
        if (tag) report.dropped('tag', tag.label, 'Another image has the same name.');
        return [];
      }
      taken.add(path);
      if (tag) {
        notes.tag(tag);
        report.included('tag', tag.label);
      }
      if (save_images) return [path];
      spill.open(`images_${subset}.txt`).text(`${path}\n`);
      return [];
    },
    onUnreadable: ({ frame }) =>
      noteUnreadable(
        report,
        frame.tags.filter(({ label }) => label === personLabel).map(({ label }) => label),
      ),
    async finish() {
      if (misleading > 0)
        report.warn(
          `${misleading} images without a tag have names like images of persons and were left out, because their names would state a person.`,
        );
    },
  });
};
