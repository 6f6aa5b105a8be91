import type { Source } from '../io/source.ts';
import { type JsonHead, readJsonHeads } from '../kit/json-heads.ts';
import type { Detection } from '../kit/plugin.ts';

const what = 'JSON about one image with a list "shapes"';

function isAboutShapes({ isList, has }: JsonHead): boolean {
  return !isList && has('shapes') && (has('version') || has('imagePath') || has('imageData') || has('flags'));
}

interface Files {
  readonly first: JsonHead | undefined;
  /** The first with members that only X-AnyLabeling writes. */
  readonly ofXAnyLabeling: JsonHead | undefined;
}

async function findFiles(source: Source): Promise<Files> {
  const files = (await readJsonHeads(source)).filter(isAboutShapes);
  // Its versions go from 0 to 4, and labelme's of the same numbers are years older than its member "description".
  const ofXAnyLabeling = files.find(
    ({ text, has }) =>
      /"(kie_linking|difficult|chat_history|vqaData|checked)"\s*:/.test(text) ||
      (has('description') && /^\s*\{\s*"version"\s*:\s*"[0-4]\./.test(text)),
  );
  return { first: files[0], ofXAnyLabeling };
}

export async function detectLabelMeJson(source: Source): Promise<Detection | null> {
  const { first, ofXAnyLabeling } = await findFiles(source);
  if (!first) return null;
  return ofXAnyLabeling
    ? { reason: `${ofXAnyLabeling.path} is ${what}, as labelme writes it.`, confidence: 0.7 }
    : { reason: `${first.path} is ${what}.`, confidence: 0.95 };
}

export async function detectXAnyLabeling(source: Source): Promise<Detection | null> {
  const { first, ofXAnyLabeling } = await findFiles(source);
  if (!first) return null;
  return ofXAnyLabeling
    ? { reason: `${ofXAnyLabeling.path} is ${what} and members that X-AnyLabeling adds.`, confidence: 0.95 }
    : { reason: `${first.path} is ${what}, as X-AnyLabeling writes it too.`, confidence: 0.5 };
}
