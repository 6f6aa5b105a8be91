import { extname } from 'node:path';
import { open as openZip } from 'yauzl';
import type { ZipFile } from 'yauzl';

/** Entry names that tell a format, the most telling first. Names are display names of importers. */
const archiveSigns: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)annotations\.xml$/i, 'CVAT 1.1'],
  [/(^|\/)obj\.data$/i, 'YOLO 1.1'],
  [/(^|\/)obj_train_data\//i, 'YOLO 1.1'],
  [/(^|\/)data\.ya?ml$/i, 'Ultralytics YOLO Detection 1.0'],
  [/(^|\/)annotations\/[^/]+\.json$/i, 'COCO 1.0'],
];

const maxEntriesRead = 200_000;

/**
 * The importer that a file most likely is for, or `null` when nothing tells. Archives are judged by the names of
 * their entries only.
 */
export async function guessFormat(file: string): Promise<string | null> {
  const extension = extname(file).toLowerCase();
  if (extension === '.json') return 'COCO 1.0';
  if (extension === '.xml') return 'CVAT 1.1';
  if (extension !== '.zip') return null;
  const names = await archiveNames(file);
  for (const [sign, format] of archiveSigns) if (names.some((name) => sign.test(name))) return format;
  const jsonFiles = names.filter((name) => name.toLowerCase().endsWith('.json'));
  return jsonFiles.length === 1 ? 'COCO 1.0' : null;
}

/** Empty for a file that is no archive: the importer then says so. */
async function archiveNames(file: string): Promise<string[]> {
  const zip = await openZipFile(file).catch(() => null);
  if (zip === null) return [];
  return await new Promise((resolve) => {
    const names: string[] = [];
    const finish = (): void => {
      zip.close();
      resolve(names);
    };
    zip.on('error', finish);
    zip.on('end', finish);
    zip.on('entry', (entry: { fileName: string }) => {
      names.push(entry.fileName);
      if (names.length >= maxEntriesRead) finish();
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

async function openZipFile(file: string): Promise<ZipFile> {
  return await new Promise((resolve, reject) => {
    openZip(file, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) reject(error);
      else resolve(zip);
    });
  });
}
