import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { StrictMode } from 'react';
import { z } from 'zod';
import { startClientEvents } from './api/client-events.ts';
import { App } from './app/app.tsx';
import { startTranslation } from './i18n/index.ts';

// The page's content security policy forbids compiled validators (`new Function`).
z.config({ jitless: true });
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
await startTranslation();
startClientEvents();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
