import { addFrameImages, imageName, writeArchive } from '../kit/frame-images.ts';
import { createXmlWriter, type XmlWriter } from '../io/xml-writer.ts';
import type { DestinationFile, ExportOptions, Exporter } from '../kit/plugin.ts';
import type { FrameInfo, TaskData, TaskMeta } from '../kit/task-data.ts';
import { writeImages } from './write-images.ts';
import { writeMeta } from './write-meta.ts';
import { writeVideo } from './write-video.ts';

type BodyWriter = (
  xml: XmlWriter,
  task_data: TaskData,
  options: ExportOptions,
  onProgress: (fraction: number) => void,
) => Promise<void>;

function imagePath(task_data: TaskData, frame: FrameInfo): string {
  const name = imageName(task_data, frame);
  const { kind, subset } = task_data.meta;
  return kind === 'project' || frame.subset !== subset
    ? `images/${frame.subset || 'default'}/${name}`
    : `images/${name}`;
}

/** First frame of each task by task id. All frames of a video have the same size. */
function firstFrames(task_data: TaskData): ReadonlyMap<number, FrameInfo> {
  const first = new Map<number, FrameInfo>();
  for (const frame of task_data.frames) {
    if (!first.has(frame.task_id)) first.set(frame.task_id, frame);
    if (task_data.meta.kind !== 'project') break;
  }
  return first;
}

/** Returns the frame size of a task's video; undefined for image sets, whose images state their sizes. */
function createVideoSize(task_data: TaskData): (task: TaskMeta) => FrameInfo | undefined {
  const first = firstFrames(task_data);
  const [only] = first.values();
  return (task) => {
    if (task.mode !== 'interpolation') return undefined;
    return task_data.meta.kind === 'project' ? first.get(task.id) : only;
  };
}

async function exportCvat(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
  writeBody: BodyWriter,
): Promise<void> {
  const { progress, save_images } = options;
  const bodyShare = save_images ? 0.3 : 1;
  await writeArchive(file_object.path, async (zip) => {
    const entry = await zip.beginEntry('annotations.xml');
    const xml = createXmlWriter(entry);
    xml.declaration();
    xml.open('annotations');
    xml.leaf('version', '1.1');
    writeMeta(xml, task_data.meta, createVideoSize(task_data));
    await writeBody(xml, task_data, options, (fraction) => progress(fraction * bodyShare));
    xml.close();
    await xml.flush();
    await entry.end();
    if (!save_images) return;
    const onProgress = (fraction: number): void => progress(bodyShare + fraction * (1 - bodyShare));
    await addFrameImages(zip, task_data, options, (frame) => imagePath(task_data, frame), onProgress);
  });
}

export const exportCvatForImages: Exporter = async (file_object, task_data, options) => {
  await exportCvat(file_object, task_data, options, writeImages);
};

export const exportCvatForVideo: Exporter = async (file_object, task_data, options) => {
  await exportCvat(file_object, task_data, options, writeVideo);
};
