import { create } from 'zustand';

/** True if the latest call got no response. Every call reports here; the frame shows a banner. */
export const useConnection = create<{ readonly lost: boolean }>(() => ({ lost: false }));

export const reportConnection = (lost: boolean): void => {
  if (useConnection.getState().lost !== lost) useConnection.setState({ lost });
};
