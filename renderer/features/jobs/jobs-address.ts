import type { JobFilters } from '../../api/queries.ts';
import type { ListAddress } from '../../parts/lists/list-controls.tsx';

/** What the address says about the list of jobs. */
export interface JobsAddress extends ListAddress, JobFilters {}
