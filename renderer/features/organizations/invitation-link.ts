/** Where the invited person makes an account: the key rides along. */
export const invitationLink = (key: string): string => `${window.location.origin}/join?key=${encodeURIComponent(key)}`;
