export const attribute = (name: string, mutable = false) => ({
  name,
  mutable,
  input_type: 'text',
  default_value: '',
  values: [],
});
export const skeleton = (name: string, sublabels: readonly string[]) => ({
  name,
  type: 'skeleton',
  sublabels: sublabels.map((sublabel) => ({
    name: sublabel,
    color: '#000000',
    type: 'points',
    attributes: [],
    sublabels: [],
  })),
});
