import { PasswordInput as KitPasswordInput, type PasswordInputProps } from '@mantine/core';
import { useText } from '../i18n/index.ts';

/** A password; the eye that shows it has a name in the person's language. */
export const PasswordInput = (props: PasswordInputProps) => {
  const t = useText();
  return <KitPasswordInput visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }} {...props} />;
};
