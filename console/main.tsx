import '@mantine/core/styles.css';
import './theme.css';
import { ApolloProvider } from '@apollo/client/react';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { client } from './api/client.ts';
import { router } from './routes.tsx';
import { startText } from './text/text.ts';
import { theme } from './theme.ts';

/**
 * A deployed build may have replaced the file of a lazy page: reload to get the new one. At most once per interval, ms, as the server may
 * be down instead.
 */
const RELOAD_PAUSE_MS = 30_000;
const RELOADED = 'callout.reloaded';
addEventListener('vite:preloadError', event => {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_PAUSE_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  event.preventDefault();
  location.reload();
});

const place = document.getElementById('console');
/** CSP nonce with which the server allows the styles that the component library injects. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

await startText();
if (place) {
  createRoot(place).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <ApolloProvider client={client}>
          <RouterProvider router={router} />
        </ApolloProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
