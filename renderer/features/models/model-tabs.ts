/** Parts of a function's page that have an address; trying it out is what one sees first. */
export const modelTabs = ['log', 'configuration', 'numbers', 'versions', 'description'] as const;
export type ModelTab = (typeof modelTabs)[number];
