import { asked } from './asked.ts';

/** Settings of this computer. */
export const settingsQuery = () => asked(['settings'], 'getSettings', { organization: null });
