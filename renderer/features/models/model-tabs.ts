/** Parts of a function's page that have an address; trying it out is what one sees first. */
export const modelTabs = ['log', 'configuration', 'numbers', 'description'] as const;
export type ModelTab = (typeof modelTabs)[number];
