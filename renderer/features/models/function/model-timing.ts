/** Polling interval of the shown table and Engine. */
export const listRefreshMs = 4_000;
/** Polling interval during a deployment. */
export const deployRefreshMs = 500;
/** Interval of the checks of addresses, which reach other computers. */
export const addressRefreshMs = 30_000;
