/** Being written. */
export const ReceiverPage = (_: object) => null;
