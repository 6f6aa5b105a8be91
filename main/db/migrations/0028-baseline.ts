import { accountsSchema } from './baseline/accounts.ts';
import { annotationsSchema } from './baseline/annotations.ts';
import { functionsSchema } from './baseline/functions.ts';
import { reviewSchema } from './baseline/review.ts';
import { serviceSchema } from './baseline/service.ts';
import { webhooksSchema } from './baseline/webhooks.ts';
import { workSchema } from './baseline/work.ts';
import type { Migration } from './migration.ts';

/**
 * The first schema that is supported. It has the number of the last schema before it, whose stores are the same, so
 * they open unchanged. Earlier schemas were never released.
 */
export const baseline: Migration = {
  version: 28,
  name: 'baseline',
  up: (database) =>
    database.exec(
      accountsSchema + workSchema + reviewSchema + annotationsSchema + serviceSchema + webhooksSchema + functionsSchema,
    ),
};
