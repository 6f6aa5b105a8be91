import type { Attempt } from './attempt-recorder.ts';
import { withCredentials } from '../store/target-address.ts';
import type { WebhookTarget } from '../store/webhook-repository.ts';
import { AppError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { noConnection } from './delivery-failure.ts';
import type { Sender } from './sender.ts';
import { signatureHeaders } from './signature.ts';

export type Attempts = ReturnType<typeof createAttempts>;

/** More than a workstation has webhooks. */
const maxOpenSecrets = 200;

/** Sends one message to one webhook once, and signs exactly the bytes that it sends. */
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

  /** Newest first, with the previous secret while it is valid. */
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
      // An unreadable previous secret must not prevent the delivery.
      return [newest];
    }
  }

  return {
    /** @throws SenderStopped, in which case the attempt is not counted */
    async make(
      target: WebhookTarget,
      message: { readonly message_id: string; readonly body: string },
    ): Promise<Attempt> {
      const { target_url: url } = target;
      // The text is ASCII, so characters equal bytes.
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
        // A delivery is never sent without its signature or password.
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
    /** Plain text, for the test receiver, which verifies signatures. */
    secretOf,
  };
}
