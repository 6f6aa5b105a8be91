import { isSettingsFile } from '../../../preload/contract/model-configurations.ts';
import { modelSettingsSchema, type ModelDescription } from '../../../preload/contract/schema/model-files.ts';
import { parseTolerantJson } from '../../../preload/contract/tolerant-json.ts';

export interface SavedSettings {
  readonly fileName: string;
  /** Null if the file is invalid or for another model. */
  readonly description: ModelDescription | null;
}

/** Settings that Limner exported for a model with this hash; null if there are none beside it. */
export function readSavedSettings(texts: ReadonlyMap<string, string>, sha256: string): SavedSettings | null {
  for (const [fileName, text] of texts) {
    if (!isSettingsFile(fileName)) continue;
    const { data } = modelSettingsSchema.safeParse(parseTolerantJson(text));
    return { fileName, description: data?.sha256 === sha256 ? data.description : null };
  }
  return null;
}
