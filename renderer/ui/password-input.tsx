import { PasswordInput as KitPasswordInput, type PasswordInputProps } from '@mantine/core';
import { useText } from '../i18n/index.ts';

/** Password input; the button that reveals it has a translated name. */
export const PasswordInput = (props: PasswordInputProps) => {
  const t = useText();
  return <KitPasswordInput visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }} {...props} />;
};
