import { isSystemFile, type Source } from '../io/source.ts';
import { readAnnotationXmlSigns } from '../kit/annotation-xml.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { isWithinReach } from '../kit/detection.ts';
import { colorTolerance } from '../kit/mask-files/label-colors.ts';
import type { Detection, FormatOption } from '../kit/plugin.ts';
import { exportVoc } from './export.ts';
import { importVoc } from './import.ts';

interface FolderSigns {
  readonly hasLists: boolean;
  readonly hasMasks: boolean;
  readonly mask: string | undefined;
}

function folderSigns(source: Source): FolderSigns {
  const paths = source.entries.map(({ path }) => path).filter((path) => isWithinReach(path) && !isSystemFile(path));
  const mask = paths.find((path) => /(^|\/)SegmentationClass\/.+\.png$/i.test(path));
  return {
    hasLists: paths.some((path) => /(^|\/)ImageSets\/(?:Main|Layout|Action)\/.+\.txt$/.test(path)),
    hasMasks: mask !== undefined || paths.some((path) => /(^|\/)ImageSets\/Segmentation\/.+\.txt$/.test(path)),
    mask,
  };
}

/** Detects the folders of a dataset and the content of XML files. */
async function detectVoc(source: Source): Promise<Detection | null> {
  const signs = await readAnnotationXmlSigns(source);
  const { hasLists, hasMasks } = folderSigns(source);
  if (!hasLists && !signs.isVoc && !hasMasks) return signs.undecided;
  const reason = signs.isVoc
    ? `${signs.first} is an annotation with boxes as in VOC.`
    : 'It has lists of images in a folder ImageSets.';
  return { reason, confidence: hasLists || (signs.isVoc && !hasMasks) ? 0.95 : 0.5 };
}

export async function detectSegmentationMask(source: Source): Promise<Detection | null> {
  const { hasLists, hasMasks, mask } = folderSigns(source);
  if (!hasMasks) return null;
  const { isVoc } = await readAnnotationXmlSigns(source);
  const reason = mask === undefined ? 'It has lists in ImageSets/Segmentation.' : `${mask} is a class mask.`;
  return { reason, confidence: hasLists || isVoc ? 0.6 : 0.95 };
}

const oneBased: FormatOption = {
  name: 'one_based',
  title: 'Pixels count from 1',
  description: 'As in the files of the PASCAL VOC challenge. Off: from 0, as in most tools.',
  kind: 'boolean',
  default: false,
};

export const voc = defineFormat({
  name: 'PASCAL VOC',
  version: '1.1',
  support: carries({
    both: ['rectangle', 'rotated rectangle', 'mask', 'tag', 'track', 'attribute'],
    converted: ['ellipse', 'polygon'],
  }),
  detect: detectVoc,
  importOptions: [oneBased, colorTolerance],
  exportOptions: [oneBased],
  read: importVoc,
  write: exportVoc,
});
