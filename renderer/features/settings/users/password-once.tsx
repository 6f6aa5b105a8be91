import { useText } from '../../../i18n/index.ts';
import { ShownOnce } from '../../../parts/code/shown-once.tsx';

const bytes = 12;

/** A password that nobody has to think of: 16 characters of the URL's alphabet, 96 bits. */
export function newPassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

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
