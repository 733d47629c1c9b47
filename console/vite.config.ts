import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** A server that runs beside `vite` during development. */
const SERVER = process.env['CALLOUT_URL'] ?? 'http://127.0.0.1:9920';

const BASE = /node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next|@apollo|graphql|graphql-ws|rxjs|optimism|@wry)\//;

export default defineConfig({
  // Served under whatever path a proxy gives: index.html has a <base>, everything else is relative to its own file.
  base: './',
  plugins: [react()],
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // What every page needs is one file: fewer requests, and texts that lie together compress better.
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
