import { createBrowserRouter, redirect, type RouteObject, type ShouldRevalidateFunctionArgs } from 'react-router';
import { BASE_PATH } from './api/address.ts';
import { currentSession, onSessionChange } from './api/session.ts';
import { PAGES } from './pages.ts';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { Fault } from './shell/fault.tsx';
import { Shell } from './shell/shell.tsx';

const pages: RouteObject[] = PAGES.map(({ key, path, needs, load }) => ({
  path,
  handle: { key, needs },
  ErrorBoundary: Fault,
  lazy: async () => ({ Component: (await load()).Page }),
}));

export const router = createBrowserRouter(
  [
    { path: '/sign-in', Component: SignInPage },
    {
      Component: Shell,
      ErrorBoundary: Fault,
      loader: requireSession,
      shouldRevalidate: isElsewhere,
      children: [...pages, { path: '*', lazy: notFound }],
    },
  ],
  { basename: BASE_PATH || '/' },
);

async function notFound() {
  return { Component: (await import('./pages/not-found/not-found-page.tsx')).NotFoundPage };
}

/** To the sign-in page, and back to what was asked for. */
function requireSession({ request }: { request: Request }): Response | null {
  if (currentSession()) return null;
  const { pathname, search } = new URL(request.url);
  const asked = pathname.slice(BASE_PATH.length) + search;
  return redirect(asked === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(asked)}`);
}

/** A filter changes the address alone: whether somebody is signed in was seen to. The same address: it is asked for again. */
function isElsewhere({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href;
}

// Signed out here, by the server or by time: the page that is open asks again.
onSessionChange(() => {
  if (!currentSession()) void router.revalidate();
});
