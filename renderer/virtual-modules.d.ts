/** Created by the build: see electron.vite.config.ts. */
declare module 'virtual:third-party-notices' {
  export const notices: string;
}
