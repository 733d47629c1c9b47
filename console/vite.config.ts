import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { splitTexts } from './split-texts.ts';

/** The server that runs beside `vite` during development. */
const SERVER = process.env['CALLOUT_URL'] ?? 'http://127.0.0.1:9920';

/** Modules that every page needs: libraries, and the styles of the component library with ours for elements. */
const BASE =
  /node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next|@apollo|graphql|graphql-ws|rxjs|optimism|@wry)\/|@mantine\/core\/styles\.css|console\/theme\.css/;

export default defineConfig({
  // A proxy may serve the console under any path: index.html has a <base>, and everything else is relative to its own file.
  base: './',
  plugins: [splitTexts(), react()],
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // One chunk for what every page needs: fewer requests, and texts compress better together. Its styles come first, however the pages
      // share theirs: among equals the last rule wins.
      output: { codeSplitting: { groups: [{ name: 'base', test: BASE }] } },
    },
  },
  server: {
    proxy: {
      '/api': SERVER,
      '/docs': SERVER,
      '/graphql': { target: SERVER, ws: true },
    },
  },
});
