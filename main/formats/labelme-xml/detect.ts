import type { Source } from '../io/source.ts';
import { readAnnotationXmlSigns } from '../kit/annotation-xml.ts';
import type { Detection } from '../kit/plugin.ts';

export async function detectLabelMe(source: Source): Promise<Detection | null> {
  const { first, isLabelMe, undecided } = await readAnnotationXmlSigns(source);
  return isLabelMe ? { reason: `${first} has the elements of a LabelMe annotation.`, confidence: 0.95 } : undecided;
}
