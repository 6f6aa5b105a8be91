import { useText } from '../../../i18n/index.ts';
import { randomText, OneTimeSecret } from '../../../shared/code/one-time-secret.tsx';

/** A generated password: 16 characters, 96 bits. */
export const newPassword = (): string => randomText(12);

export interface MadePassword {
  readonly username: string;
  readonly password: string;
}

/** Shows a password once, because the service stores only its hash. */
export function PasswordOnce({ made, onDone }: { readonly made: MadePassword; readonly onDone: () => void }) {
  const t = useText();
  return (
    <OneTimeSecret
      role="status"
      title={t('users.passwordTitle', { name: made.username })}
      text={t('users.passwordText')}
      value={made.password}
      name={t('users.password')}
      done={t('users.passwordDone')}
      onDone={onDone}
    />
  );
}
