import { isSystemFile } from '../io/source.ts';
import { isWithinReach, oncePerSource, pathsToLookAt, readHead } from './detection.ts';
import type { Detection } from './plugin.ts';

const sampledFiles = 20;
const vocFolders = /(^|\/)(?:ImageSets\/(?:Main|Layout|Action|Segmentation)\/.+\.txt|SegmentationClass\/.+\.png)$/i;

/** What XML files with the root element `annotation` show: VOC and LabelMe both have it. */
export interface AnnotationXmlSigns {
  /** The first of them; empty where there is none. */
  readonly first: string;
  readonly isVoc: boolean;
  readonly isLabelMe: boolean;
  /** What there is to say for either where no object and no folder tells more. */
  readonly undecided: Detection | null;
}

export const readAnnotationXmlSigns = oncePerSource(async (source): Promise<AnnotationXmlSigns> => {
  let first = '';
  let isVoc = false;
  let isLabelMe = false;
  for (const path of pathsToLookAt(source, /\.xml$/i).slice(0, sampledFiles)) {
    const head = await readHead(source, path, 64 * 1024);
    if (!/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<annotation[\s>]/.test(head)) continue;
    if (first === '') first = path;
    isVoc ||= /<bndbox[\s>]/.test(head) || /<segmented[\s>]/.test(head);
    isLabelMe ||= /<(?:polygon|segm)[\s>]/.test(head) || /<(?:imagesize|sourceImage)[\s>]/.test(head);
    if (isVoc || isLabelMe) break;
  }
  const isTold =
    isVoc ||
    isLabelMe ||
    source.entries.some(({ path }) => vocFolders.test(path) && isWithinReach(path) && !isSystemFile(path));
  const reason = `${first} has the root element <annotation>, and no object that tells more.`;
  return { first, isVoc, isLabelMe, undecided: first === '' || isTold ? null : { reason, confidence: 0.4 } };
});
