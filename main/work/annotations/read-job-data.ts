import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { withoutMarks } from '../../../preload/geometry/track-pieces.ts';
import { Store } from '../../db/store.ts';
import { createAnnotationRepository } from './annotation-repository.ts';
import { indexLabels } from './annotation-rules.ts';
import { emptyData } from './annotation-writer.ts';
import { withAttributeDefaults } from './attribute-defaults.ts';

/**
 * The annotations of jobs as the API answers them, at one moment. For worker threads: the caller checked the access.
 * Sending the annotations to the thread instead would stop the thread that answers requests.
 */
export function readJobsData(databaseFile: string, jobIds: readonly number[], labels: readonly Label[]): LabeledData[] {
  const snapshot = new Store(databaseFile, { readonly: true });
  try {
    snapshot.beginSnapshot();
    const annotations = createAnnotationRepository(snapshot);
    const index = indexLabels(labels);
    return jobIds.map((jobId) => {
      const { tags, shapes, tracks } = annotations.read(jobId);
      const data = { ...emptyData(), tags: [...tags], shapes: [...shapes], tracks: tracks.map(withoutMarks) };
      return withAttributeDefaults(data, index);
    });
  } finally {
    snapshot.close();
  }
}
