import { asked } from './asked.ts';

export const settingsQuery = () => asked(['settings'], 'getSettings', { organization: null });
