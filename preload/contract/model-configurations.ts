/** Configurations of other programs that are read if they are beside a model. */
export const configurationNames = [
  'config.json',
  'preprocessor_config.json',
  'metadata.yaml',
  'data.yaml',
  'inference.yml',
  'dict.txt',
  'en_dict.txt',
  'ppocr_keys_v1.txt',
  'ppocrv5_dict.txt',
  'tokenizer.json',
  'vocab.json',
  'merges.txt',
  'vocab.txt',
] as const;

export const isSettingsFile = (name: string): boolean => /\.limner\.json$/i.test(name);

/** True also for the YAML of X-AnyLabeling and for lists of labels or characters, which have any name. */
export const isConfiguration = (name: string): boolean =>
  configurationNames.some((one) => one === name.toLowerCase()) || isSettingsFile(name) || /\.(ya?ml|txt)$/i.test(name);
