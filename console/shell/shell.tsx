import { Burger, Kbd, Loader, Text, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useMatches, useNavigation } from 'react-router';
import { useMe, useMeAgain } from '../api/me.ts';
import { isKeptOnDuty, onDutyKept } from '../live/duty-kept.ts';
import { BusinessZone } from '../ui/business-zone.tsx';
import { Notice } from '../ui/notice.tsx';
import { HeadingContext } from '../ui/page-heading.tsx';
import { useIsSaid } from '../ui/toast.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Menu } from './menu.tsx';
import styles from './shell.module.css';
import { useShortcuts } from './shortcuts.ts';
import { useFocusOnPage } from './use-focus-on-page.ts';

/** Loaded on demand. */
const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));
const Forbidden = lazy(async () => ({ default: (await import('./forbidden.tsx')).Forbidden }));
const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }));
const OnDuty = lazy(async () => ({ default: (await import('./on-duty.tsx')).OnDuty }));
const PersonMenu = lazy(async () => ({ default: (await import('./person-menu.tsx')).PersonMenu }));
const OwnPhone = lazy(async () => ({ default: (await import('../phone/own-phone.tsx')).OwnPhone }));
const Messages = lazy(async () => ({ default: (await import('./messages.tsx')).Messages }));
const Heart = lazy(async () => ({ default: (await import('./heart.tsx')).Heart }));
const Keys = lazy(async () => ({ default: (await import('./keys.tsx')).Keys }));

interface Handle {
  key?: string;
  needs?: string | null;
}

/** Frame around every page: menu, user, and connection banner. */
export function Shell() {
  const { t } = useTranslation();
  const { may, isKnown, user } = useMe();
  const fault = useMeAgain();
  const { key, needs = null } = (useMatches().at(-1)?.handle ?? {}) as Handle;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isSaid = useIsSaid();
  const [over, setOver] = useState<'palette' | 'keys' | null>(null);
  useShortcuts({ openPalette: () => setOver('palette'), showKeys: () => setOver('keys') });
  const { hasHeading, register } = usePageHeadings();
  const page = useRef<HTMLElement>(null);
  useFocusOnPage(page);
  const isLeaving = useNavigation().state === 'loading';
  const title = key ? t(`pages.${key}`) : t('notFound.title');
  return (
    <div className={styles.frame}>
      <title>{`${title} · Callout`}</title>
      <a className="skip" href="#content">
        {t('shell.skip')}
      </a>
      <nav className={styles.menu} aria-label={t('shell.menu')} data-open={isMenuOpen || undefined}>
        <div className={styles.brand}>
          <img src="icon.svg" width={24} height={24} alt="" />
          Callout
        </div>
        {/* Where there is little room the menu covers the page, so navigation closes it. */}
        <div id="pages" className={styles.pages} onClick={() => setMenuOpen(false)}>
          <Menu current={key} />
          <BusinessZone className={styles.zoneInMenu} />
        </div>
        <Burger
          className={styles.burger}
          size="sm"
          opened={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
          aria-controls="pages"
          aria-label={t(isMenuOpen ? 'shell.closeMenu' : 'shell.openMenu')}
        />
      </nav>
      <header className={styles.head}>
        <Text component={hasHeading ? 'span' : 'h1'} fw={600}>
          {title}
        </Text>
        <BusinessZone className={styles.zone} />
        {isLeaving && <Loader size="xs" role="status" aria-label={t('shell.loading')} />}
        <UnstyledButton className={styles.find} onClick={() => setOver('palette')} aria-keyshortcuts="Control+K Meta+K">
          {t('shell.palette')} <Kbd className={styles.key}>Ctrl K</Kbd>
        </UnstyledButton>
        <Duty />
        <Person />
      </header>
      <div className={styles.column}>
        <ConnectionBanner />
        <OwnMessages />
        <main ref={page} id="content" className={styles.body} tabIndex={-1} aria-label={title}>
          {/* Before the permissions are known a page must not send requests, and before the time zone is, it must not show times. */}
          <HeadingContext value={register}>
            <Suspense>{may(needs) === false && <Forbidden permission={needs ?? ''} />}</Suspense>
            {may(needs) !== false && isKnown && <Outlet />}
            {!isKnown && fault && <Notice error={fault} />}
          </HeadingContext>
        </main>
        <Phone />
      </div>
      <Suspense>
        {user && <Heart />}
        {isSaid && <Toasts />}
        {over === 'palette' && <Palette close={() => setOver(null)} />}
        {over === 'keys' && <Keys close={() => setOver(null)} />}
      </Suspense>
    </div>
  );
}

/** Whether the page has a heading of its own, which the title in the head must not double. */
function usePageHeadings(): { hasHeading: boolean; register: () => () => void } {
  const [count, setCount] = useState(0);
  const register = useCallback(() => {
    setCount(before => before + 1);
    return () => setCount(before => before - 1);
  }, []);
  return { hasHeading: count > 0, register };
}

/** Keeps a user on duty on every page; for others it loads nothing. */
function Duty() {
  const { user, may } = useMe();
  const isKept = useSyncExternalStore(onDutyKept, () => user !== null && isKeptOnDuty(user.databaseId));
  if (!user || !isKept || may('agent:operate') !== true) return null;
  return (
    <Suspense>
      <OnDuty userId={user.databaseId} />
    </Suspense>
  );
}

/** Messages to a user who may talk to customers; for others it loads nothing. */
function OwnMessages() {
  const { user, may } = useMe();
  if (!user || may('agent:operate') !== true) return null;
  return (
    <Suspense>
      <Messages />
    </Suspense>
  );
}

/** The browser phone of a user who may talk to customers; for others it loads nothing. */
function Phone() {
  const { user, may } = useMe();
  if (!user || may('agent:operate') !== true) return null;
  return (
    <Suspense>
      <OwnPhone userId={user.databaseId} />
    </Suspense>
  );
}

function Person() {
  const { t } = useTranslation();
  const { user } = useMe();
  const [isWanted, setWanted] = useState(false);
  if (!user) return <span />;
  const button = (
    <UnstyledButton
      fz="sm"
      aria-haspopup="menu"
      aria-label={t('shell.me', { name: user.displayName || user.username })}
      onClick={() => setWanted(true)}
    >
      {user.displayName || user.username} ▾
    </UnstyledButton>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <PersonMenu button={button} />
    </Suspense>
  );
}
