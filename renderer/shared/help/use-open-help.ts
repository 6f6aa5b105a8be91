import { useNavigate } from '@tanstack/react-router';

/** Opens a Help page by its address below `/help/`, by default the first one. */
export function useOpenHelp(): (page?: string) => void {
  const navigate = useNavigate();
  return (page) => void navigate({ to: '/help', search: page === undefined ? {} : { page } });
}
