import type { Attempt } from './attempt-recorder.ts';
import { withCredentials } from '../store/target-address.ts';
import type { WebhookTarget } from '../store/webhook-repository.ts';
import { AppError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { noConnection } from './delivery-failure.ts';
import type { Sender } from './sender.ts';
import { signatureHeaders } from './signature.ts';

export type Attempts = ReturnType<typeof createAttempts>;

/** More webhooks than a workstation has. */
const maxOpenSecrets = 200;

/** Sends one message to one webhook once: signs the very bytes that it sends. */
export function createAttempts(dependencies: {
  readonly sender: Pick<Sender, 'send'>;
  readonly secrets: SecretBox;
  readonly userAgent: string;
  readonly nowMs: () => number;
}) {
  const { sender, secrets, userAgent, nowMs } = dependencies;
  const opened = new Map<string, string>();

  function opening(sealed: string): string {
    if (sealed === '') return '';
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    if (opened.size >= maxOpenSecrets) opened.clear();
    const secret = secrets.open(sealed);
    opened.set(sealed, secret);
    return secret;
  }

  const secretOf = ({ secret }: Pick<WebhookTarget, 'secret'>): string => opening(secret);

  /** The newest first, with the one before it while that is still used. */
  function secretsOf({
    secret,
    previous_secret: previous,
    previous_secret_until_ms: untilMs,
  }: WebhookTarget): string[] {
    const newest = opening(secret);
    if (previous === '' || untilMs <= nowMs()) return [newest];
    try {
      return [newest, opening(previous)];
    } catch {
      // It was to make the exchange easier, and is not worth a delivery.
      return [newest];
    }
  }

  return {
    /** @throws SenderStopped: the attempt then counts as never made */
    async make(
      target: WebhookTarget,
      message: { readonly message_id: string; readonly body: string },
    ): Promise<Attempt> {
      const { target_url: url } = target;
      // The text is ASCII, so that its characters are its bytes.
      const body = Buffer.from(message.body, 'latin1');
      let requestHeaders: Record<string, string> = {};
      let address: string;
      try {
        address = withCredentials(url, opening(target.target_credentials));
        requestHeaders = {
          'Content-Type': target.content_type,
          'User-Agent': userAgent,
          ...signatureHeaders(secretsOf(target), message.message_id, nowMs(), body),
        };
      } catch (error) {
        // Never unsigned where a signature was asked for, nor without the password.
        return {
          url,
          requestHeaders,
          status: noConnection,
          response: error instanceof AppError ? error.message : 'The secret could not be read. Nothing was sent.',
          responseHeaders: {},
          durationMs: 0,
          endedMs: nowMs(),
        };
      }
      const { status, response, headers, durationMs } = await sender.send({
        url: address,
        enableSsl: target.enable_ssl === 1,
        headers: requestHeaders,
        body,
      });
      return { url, requestHeaders, status, response, responseHeaders: headers, durationMs, endedMs: nowMs() };
    },
    /** In clear, for the test receiver that checks signatures. */
    secretOf,
  };
}
