import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { NameForm } from './name-form.tsx';
import { PasswordForm } from './password-form.tsx';

export function AccountSection() {
  const self = useQuery({ ...queries.self(), refetchOnMount: 'always' });
  return (
    <Loaded query={self}>
      {(user) => (
        <>
          <NameForm user={user} />
          <PasswordForm user={user} />
        </>
      )}
    </Loaded>
  );
}
