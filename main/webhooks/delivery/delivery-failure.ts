import { AddressRefused } from '../../platform/network/guarded-connector.ts';

/** Log statuses for a missing or broken connection (502) and a timeout (504). */
export const noConnection = 502;
const noAnswerInTime = 504;

/** A delivery without a complete answer: its log status and message. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure';
  readonly status: number;

  constructor(status: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.status = status;
  }
}

export const deliveryTimeouts = {
  /** Connection including TLS. */
  connectMs: 3000,
  /** Start of the answer, and between two parts of it. */
  readMs: 10_000,
  /** Complete delivery, so that a slow receiver cannot block a webhook with single bytes. */
  totalMs: 25_000,
};
export type DeliveryTimeouts = Readonly<typeof deliveryTimeouts>;

const inSeconds = (milliseconds: number): string => `${milliseconds / 1000} seconds`;

function timeoutSentence(code: string, { readMs }: DeliveryTimeouts): string | null {
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return `The receiver did not answer within ${inSeconds(readMs)}.`;
    case 'UND_ERR_BODY_TIMEOUT':
      return `The receiver started to answer, then sent nothing for ${inSeconds(readMs)}.`;
    default:
      return null;
  }
}

export const tookTooLong = ({ totalMs }: DeliveryTimeouts): DeliveryFailure =>
  new DeliveryFailure(noAnswerInTime, `The receiver took longer than ${inSeconds(totalMs)} in total.`);

const connectionProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; nothing listens there',
  ECONNRESET: 'the receiver closed the connection',
  EPIPE: 'the receiver closed the connection',
  UND_ERR_SOCKET: 'the receiver closed the connection before the end of the answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was shorter than announced',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no connection in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by an unknown authority',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  EPROTO: 'the receiver does not speak TLS',
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too long",
};

const certificateCode = /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL|EPROTO)/;

export function deliveryFailure(error: unknown, host: string, timeouts: DeliveryTimeouts): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error;
  if (error instanceof AddressRefused) return new DeliveryFailure(noConnection, error.message, { cause: error });
  const { code } = details(error);
  const timeout = timeoutSentence(code, timeouts);
  if (timeout !== null) return new DeliveryFailure(noAnswerInTime, timeout, { cause: error });
  const hint = certificateCode.test(code) ? ' Check the certificate, or disable "Enable SSL" for this webhook.' : '';
  return new DeliveryFailure(noConnection, `${host}: ${connectionProblem(error, timeouts.connectMs)}.${hint}`, {
    cause: error,
  });
}

/** Reason why a connection failed, in the middle of a sentence. */
export function connectionProblem(error: unknown, connectMs: number): string {
  const { code, message, isHttp } = details(error);
  if (!isHttp) return 'the answer is not HTTP';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `no connection within ${inSeconds(connectMs)}`;
  return connectionProblems[code] ?? message;
}

/** Uses the first inner error if several addresses of a host were tried. */
function details(error: unknown): { code: string; message: string; isHttp: boolean } {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = (inner as { code?: unknown } | null)?.code;
  const message = inner instanceof Error ? inner.message : String(inner);
  // Compared by name, because the client library is loaded with the first delivery.
  const isHttp = !(inner instanceof Error && inner.name === 'HTTPParserError');
  return { code: typeof code === 'string' ? code : '', message: message.replace(/\.+$/, ''), isHttp };
}
