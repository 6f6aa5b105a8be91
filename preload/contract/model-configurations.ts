/** Configurations of other programs that are read if they are beside a model. */
export const configurationNames = [
  'config.json',
  'preprocessor_config.json',
  'metadata.yaml',
  'data.yaml',
  'inference.yml',
] as const;

/** True also for the YAML of X-AnyLabeling, which has any name. */
export const isConfiguration = (name: string): boolean =>
  configurationNames.some((one) => one === name.toLowerCase()) || /\.ya?ml$/i.test(name);
