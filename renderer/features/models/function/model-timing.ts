/** How often the table and the Engine are looked at while they are shown. */
export const listRefreshMs = 4_000;
/** While a function is being deployed. */
export const deployRefreshMs = 500;
