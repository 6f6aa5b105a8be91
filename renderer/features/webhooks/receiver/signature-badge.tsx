import { IconShieldCheck, IconShieldOff, IconShieldX } from '@tabler/icons-react';
import type { signatureVerdicts } from '../../../../preload/contract/schema/webhooks.ts';
import { useText } from '../../../i18n/index.ts';
import classes from './signature-badge.module.css';

export type Verdict = (typeof signatureVerdicts)[number];

const tones = { valid: 'ok', invalid: 'bad', missing: 'bad', unsigned: 'none', unknown: 'none' } as const;

/** Whether a request was signed with the secret of its webhook. */
export const SignatureBadge = ({ verdict }: { readonly verdict: Verdict }) => {
  const t = useText();
  const tone = tones[verdict];
  const Icon = tone === 'ok' ? IconShieldCheck : tone === 'bad' ? IconShieldX : IconShieldOff;
  return (
    <span className={classes.signature} data-tone={tone} title={t(`webhookReceiver.signatureText.${verdict}`)}>
      <Icon size={14} stroke={1.75} aria-hidden />
      {t(`webhookReceiver.signature.${verdict}`)}
    </span>
  );
};
