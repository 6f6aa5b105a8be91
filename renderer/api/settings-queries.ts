import { operationQuery } from './query-options.ts';

export const settingsQuery = () => operationQuery(['settings'], 'getSettings', { organization: null });
