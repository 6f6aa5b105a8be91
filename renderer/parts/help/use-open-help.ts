import { useNavigate } from '@tanstack/react-router';

/** Opens a page of Help by its address below `/help/`; its first page where none is given. */
export function useOpenHelp(): (page?: string) => void {
  const navigate = useNavigate();
  return (page) => void navigate({ to: '/help', search: page === undefined ? {} : { page } });
}
