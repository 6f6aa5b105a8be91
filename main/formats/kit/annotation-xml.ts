import { isSystemFile } from '../io/source.ts';
import { readXmlChildren, textOf, type XmlNode } from '../io/xml-children.ts';
import { isWithinReach, oncePerSource, pathsToLookAt, readHead } from './detection.ts';
import type { Detection } from './plugin.ts';
import { faultOf, RecordError } from './records.ts';
import type { FormatReport } from './report.ts';
import { readNumber } from './short-decimals.ts';

const sampledFiles = 20;
const vocFolders = /(^|\/)(?:ImageSets\/(?:Main|Layout|Action|Segmentation)\/.+\.txt|SegmentationClass\/.+\.png)$/i;

/** Features of XML files with the root element `annotation`, which VOC and LabelMe share. */
export interface AnnotationXmlSigns {
  readonly first: string;
  readonly isVoc: boolean;
  readonly isLabelMe: boolean;
  /** Detection for both formats if neither an object nor a folder decides. */
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
  const reason = `${first} has the root element <annotation>, and no object that decides between the formats.`;
  return { first, isVoc, isLabelMe, undecided: first === '' || isTold ? null : { reason, confidence: 0.4 } };
});

/** Number in a child element; `place` is its path for the report. */
export function numberIn(node: XmlNode, name: string, place: string): number {
  const text = textOf(node, name);
  const value = readNumber(text);
  if (!Number.isNaN(value)) return value;
  throw new RecordError(place, text === undefined ? 'is missing' : `is not a number: "${text.slice(0, 60)}"`);
}

/** Children and attributes of an element by name: texts or nested records. */
export function membersOf({ attributes, children }: XmlNode): Record<string, unknown> {
  return {
    ...attributes,
    ...Object.fromEntries(
      children.map((child) => [child.name, child.children.length > 0 ? membersOf(child) : child.text.trim()]),
    ),
  };
}

/** Reads an element. If it cannot be read, it is reported under the name `called`. */
export function readElement<Read>(
  { file, report }: { readonly file: string; readonly report: FormatReport },
  { line }: XmlNode,
  called: string,
  read: () => Read,
): Read[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    report.invalid(file, `line ${line}`, `${called}: ${error.at} ${error.message}`);
    return [];
  }
}

/**
 * Passes on the children of `<annotation>`, including those before a syntax error. Returns the name of the root, or ''.
 */
export async function readAnnotationXml(
  input: AsyncIterable<Uint8Array>,
  { file, report }: { readonly file: string; readonly report: FormatReport },
  take: (child: XmlNode) => void,
): Promise<string> {
  let root = '';
  try {
    await readXmlChildren(
      input,
      (name) => {
        root = name;
      },
      (child) => {
        if (root === 'annotation') take(child);
      },
    );
  } catch (error) {
    report.invalid(file, 'the XML', faultOf(error));
  }
  return root;
}
