/** Being written. */
export const JoinPage = (_: { readonly invitation: string }) => null;
