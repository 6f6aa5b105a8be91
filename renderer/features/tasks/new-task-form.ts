import type { NamedFile } from '../../api/uploads.ts';
import { nameForTask } from '../../parts/files/media-files.ts';
import { writeOfLabel, type LabelDraft } from '../../parts/labels/label-draft.ts';
import type { NewTask } from '../../parts/task-creation/create-task.ts';

export const sortingMethods = ['natural', 'lexicographical', 'predefined', 'random'] as const;

export interface NewTaskForm {
  readonly files: readonly NamedFile[];
  readonly ignoredCount: number;
  readonly name: string;
  readonly projectId: number | null;
  readonly labels: readonly LabelDraft[];
  readonly sorting: (typeof sortingMethods)[number];
  readonly segmentSize: number;
  readonly overlap: number;
  readonly quality: number;
  readonly subset: string;
}

export const emptyForm = (projectId: number | null): NewTaskForm => ({
  files: [],
  ignoredCount: 0,
  name: '',
  projectId,
  labels: [],
  sorting: 'natural',
  segmentSize: 0,
  overlap: 0,
  quality: 70,
  subset: '',
});

/** What the form says, as the service wants it. */
export function taskOfForm(form: NewTaskForm, now: Date): NewTask {
  const name = form.name.trim() === '' ? nameForTask(form.files, now) : form.name.trim();
  return {
    media: { files: form.files },
    task: {
      name,
      segment_size: form.segmentSize,
      subset: form.subset.trim(),
      ...(form.overlap > 0 ? { overlap: form.overlap } : {}),
      ...(form.projectId === null ? { labels: form.labels.map(writeOfLabel) } : { project_id: form.projectId }),
    },
    data: { image_quality: form.quality, sorting_method: form.sorting },
  };
}
