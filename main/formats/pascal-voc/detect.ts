import { type FormatCandidate, isWithinReach, readHead } from '../kit/detection.ts';
import { isSystemFile, type Source } from '../io/source.ts';

const voc = 'PASCAL VOC 1.1';
const segmentationMask = 'Segmentation mask 1.1';
const labelMe = 'LabelMe 3.0';
const sampledFiles = 20;

/** What XML files with the root element `annotation` show: two formats have it. */
interface XmlSigns {
  readonly first: string;
  readonly isAnnotation: boolean;
  readonly isVoc: boolean;
  readonly isLabelMe: boolean;
}

async function readSigns(source: Source): Promise<XmlSigns> {
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => source.kind === 'file' || (/\.xml$/i.test(path) && isWithinReach(path) && !isSystemFile(path)));
  let first = '';
  let isVoc = false;
  let isLabelMe = false;
  for (const path of paths.slice(0, sampledFiles)) {
    const head = await readHead(source, path, 64 * 1024);
    if (!/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<annotation[\s>]/.test(head)) continue;
    if (first === '') first = path;
    isVoc ||= /<bndbox[\s>]/.test(head) || /<segmented[\s>]/.test(head);
    isLabelMe ||= /<(?:polygon|segm)[\s>]/.test(head) || /<(?:imagesize|sourceImage)[\s>]/.test(head);
    if (isVoc || isLabelMe) break;
  }
  return { first, isAnnotation: first !== '', isVoc, isLabelMe };
}

function folderSigns(source: Source): { lists: boolean; segmentationLists: boolean; masks: string | undefined } {
  const paths = source.entries.map(({ path }) => path).filter((path) => isWithinReach(path) && !isSystemFile(path));
  return {
    lists: paths.some((path) => /(^|\/)ImageSets\/(?:Main|Layout|Action)\/.+\.txt$/.test(path)),
    segmentationLists: paths.some((path) => /(^|\/)ImageSets\/Segmentation\/.+\.txt$/.test(path)),
    masks: paths.find((path) => /(^|\/)SegmentationClass\/.+\.png$/i.test(path)),
  };
}

/** VOC and its segmentation part by their folders, VOC and LabelMe by what their XML files hold. */
export async function detectAnnotationXml(source: Source): Promise<FormatCandidate[]> {
  const signs = await readSigns(source);
  const { lists, segmentationLists, masks } = folderSigns(source);
  const hasMasks = masks !== undefined || segmentationLists;
  const candidates: FormatCandidate[] = [];
  if (signs.isLabelMe) {
    candidates.push({
      name: labelMe,
      reason: `${signs.first} has the elements of a LabelMe annotation.`,
      confidence: 0.95,
    });
  }
  if (lists || signs.isVoc || hasMasks) {
    const isSure = lists || (signs.isVoc && !hasMasks);
    const reason = signs.isVoc
      ? `${signs.first} is an annotation with boxes as VOC has them.`
      : 'It has lists of images in a folder ImageSets.';
    candidates.push({ name: voc, reason, confidence: isSure ? 0.95 : 0.5 });
  }
  if (hasMasks) {
    const reason = masks === undefined ? 'It has lists in ImageSets/Segmentation.' : `${masks} is an image of classes.`;
    candidates.push({ name: segmentationMask, reason, confidence: lists || signs.isVoc ? 0.6 : 0.95 });
  }
  if (candidates.length > 0 || !signs.isAnnotation) return candidates;
  const reason = `${signs.first} has the root element <annotation>, and no object that tells more.`;
  return [voc, labelMe].map((name) => ({ name, reason, confidence: 0.4 }));
}
