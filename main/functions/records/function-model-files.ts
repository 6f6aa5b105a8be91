import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';

/** Model files by the name of their function. `main/model-files`, which is above this module, implements it. */
export interface FunctionModelFiles {
  /** True if the model runs in Limner itself. */
  isThere(name: string): boolean;
  /** Folder of the model files that run in the function's container; null if it has none. */
  folderInContainer(name: string): string | null;
  /** Adds the model file's details to a function that runs it. */
  known(model: ModelFunction): ModelFunction;
  /** False for a model that no server runs. @throws AppError with the reason if its server cannot run it */
  checkServer(name: string): Promise<boolean>;
  list(): ModelFunction[];
  get(name: string): ModelFunction | null;
  remove(name: string): Promise<void>;
  readonly decoders: FunctionDecoders;
}

/** Decoders for functions that return features instead of a mask. */
export interface FunctionDecoders {
  has(name: string): boolean;
  /** True if the features of the image are cached. */
  known(name: string, image: Uint8Array): boolean;
  /**
   * @param blob answer of the function; null if its features are cached
   * @param fields body of the call, which contains the prompts
   */
  mask(
    name: string,
    image: Uint8Array,
    size: { readonly width: number; readonly height: number },
    blob: string | null,
    fields: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<unknown>;
}
