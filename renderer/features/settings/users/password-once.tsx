import { useText } from '../../../i18n/index.ts';
import { randomText } from '../../../parts/code/random-text.ts';
import { ShownOnce } from '../../../parts/code/shown-once.tsx';

/** A password that nobody has to think of: 16 characters, 96 bits. */
export const newPassword = (): string => randomText(12);

/** A password that was made here. */
export interface MadePassword {
  readonly username: string;
  readonly password: string;
}

/** Shows a password this once: the service keeps only its hash. */
export function PasswordOnce({ made, onDone }: { readonly made: MadePassword; readonly onDone: () => void }) {
  const t = useText();
  return (
    <ShownOnce
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
