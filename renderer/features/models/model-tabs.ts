/** Tabs with an address; the trial is the default. */
export const modelTabs = ['log', 'configuration', 'numbers', 'versions', 'description'] as const;
export type ModelTab = (typeof modelTabs)[number];
