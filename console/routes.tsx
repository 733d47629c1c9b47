import { createBrowserRouter, type RouteObject, redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { BASE_PATH } from './api/address.ts';
import { currentSession, onSessionChange } from './api/session.ts';
import { SignInPage } from './pages/users/sign-in-page.tsx';
import { PAGES } from './pages.ts';
import { Fault } from './shell/fault.tsx';
import { Shell } from './shell/shell.tsx';
import { loadLaterText } from './text/text.ts';

/** Pages that people see first; no text that comes later stands on them. */
const FIRST = ['home', 'wall', 'desk'];

const pages: RouteObject[] = PAGES.map(({ key, path, needs, load }) => ({
  path,
  handle: { key, needs },
  ErrorBoundary: Fault,
  lazy: async () => {
    const [{ Page }] = await Promise.all([load(), FIRST.includes(key) ? null : loadLaterText()]);
    return { Component: Page };
  },
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
  return { Component: (await import('./shell/not-found-page.tsx')).NotFoundPage };
}

/** Redirects to the sign-in page, and from there back to the requested page. */
function requireSession({ request }: { request: Request }): Response | null {
  if (currentSession()) return null;
  const { pathname, search } = new URL(request.url);
  const asked = pathname.slice(BASE_PATH.length) + search;
  return redirect(asked === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(asked)}`);
}

/** A filter changes only the URL, and the session was checked before. The same URL again is a reload, which checks it. */
function isElsewhere({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href;
}

// After a sign-out, an expiry or a refusal by the server, the open page checks the session again.
onSessionChange(() => {
  void router.revalidate();
});
