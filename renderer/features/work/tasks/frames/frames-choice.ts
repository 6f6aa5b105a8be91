export interface FramesChoice {
  readonly which: 'every' | 'list' | 'annotated';
  readonly step: number;
  readonly first: number;
  /** Null for an empty field, which means the last frame. */
  readonly last: number | null;
  readonly list: string;
  readonly result: 'task' | 'files';
  readonly name: string;
  readonly image: 'jpeg' | 'png';
  readonly quality: number;
  readonly sameProject: boolean;
  readonly annotations: boolean;
  readonly trackGroups: boolean;
}

export interface Selection {
  readonly frames?: string;
  readonly annotated: boolean;
}

export const newChoice = (name: string): FramesChoice => ({
  which: 'every',
  step: 10,
  first: 0,
  last: null,
  list: '',
  result: 'task',
  name,
  image: 'jpeg',
  quality: 95,
  sameProject: true,
  annotations: true,
  trackGroups: true,
});

/** The frames in the service's format; null if a required field is empty. */
export function selectionOf({ which, step, first, last, list }: FramesChoice): Selection | null {
  if (which === 'annotated') return { annotated: true };
  if (which === 'list') return list.trim() === '' ? null : { frames: list, annotated: false };
  return { frames: `${first}-${last ?? ''}:${step}`, annotated: false };
}

const imageOf = ({ image, quality }: FramesChoice) =>
  image === 'png' ? ({ image_format: 'png' } as const) : ({ image_format: 'jpeg', image_quality: quality } as const);

export const filesBody = (choice: FramesChoice, selection: Selection) => ({ ...selection, ...imageOf(choice) });

export const taskBody = (choice: FramesChoice, selection: Selection) => ({
  ...filesBody(choice, selection),
  name: choice.name.trim(),
  same_project: choice.sameProject,
  annotations: choice.annotations,
  track_groups: choice.trackGroups,
});
