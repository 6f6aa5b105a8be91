import { useNavigate } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Address of the screen from which Help was opened. */
    helpFrom?: string;
  }
}

const helpPath = '/help';

/** Opens a Help page by its address below `/help/`, by default the first one. */
export function useOpenHelp(): (page?: string) => void {
  const navigate = useNavigate();
  return (page) => {
    const { pathname, search } = window.location;
    void navigate({
      to: helpPath,
      search: page === undefined ? {} : { page },
      // Help that is open already keeps its origin.
      state: (before) => (pathname === helpPath ? before : { helpFrom: pathname + search }),
    });
  };
}
