import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/kit.ts';

interface ToListProps {
  readonly to: '/tasks' | '/projects' | '/models' | '/organizations' | '/webhooks';
  readonly title: string;
}

export function ToList({ to, title }: ToListProps) {
  const t = useText();
  const navigate = useNavigate();
  return <Button onClick={() => void navigate({ to })}>{t('lists.open', { list: title })}</Button>;
}
