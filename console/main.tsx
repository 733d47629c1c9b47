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

const place = document.getElementById('console');
/** The one by which the server allows the styles that the component library writes. */
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
