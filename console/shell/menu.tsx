import {
  IconAddressBook,
  IconBroadcast,
  IconCalendarEvent,
  IconChartBar,
  IconChartLine,
  IconClipboardList,
  IconCode,
  IconHeadset,
  IconLayoutDashboard,
  IconListCheck,
  IconListDetails,
  IconMessageSearch,
  IconPhoneCall,
  IconPhoneOutgoing,
  IconServer2,
  IconStack2,
  type IconProps,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useMe } from '../api/me.ts';
import { MENU, PAGES } from '../pages.ts';
import styles from './shell.module.css';

const ICONS: Readonly<Record<string, ComponentType<IconProps>>> = {
  'pages.wall': IconLayoutDashboard,
  'pages.desk': IconHeadset,
  'menu.live': IconBroadcast,
  'pages.trends': IconChartLine,
  'pages.reports': IconChartBar,
  'pages.campaigns': IconPhoneOutgoing,
  'pages.contacts': IconAddressBook,
  'pages.lists': IconStack2,
  'pages.callbacks': IconCalendarEvent,
  'pages.calls': IconPhoneCall,
  'pages.followUps': IconListCheck,
  'pages.transcripts': IconMessageSearch,
  'menu.rules': IconClipboardList,
  'menu.people': IconUsers,
  'menu.lines': IconServer2,
  'menu.records': IconListDetails,
};

/** Entries that begin a section: the daily work, and what is set up for it. */
const FIRST_OF_SECTION = ['pages.campaigns', 'menu.rules'];

/** Pages that the user may see; a group is one entry, and the open page expands its own. */
export function Menu({ current }: { current: string | undefined }) {
  const { t } = useTranslation();
  const { may } = useMe();
  const openGroup = PAGES.find(({ key }) => key === current)?.group;
  const seen = MENU.map(({ title, pages }) => ({ title, pages: pages.filter(({ needs }) => may(needs) !== false) }));
  return (
    <>
      {seen.map(({ title, pages }) => {
        const [first] = pages;
        if (!first) return null;
        const Icon = ICONS[title];
        const icon = Icon && <Icon size={18} stroke={1.6} aria-hidden />;
        const section = FIRST_OF_SECTION.includes(title) ? styles.section : undefined;
        if (!first.group || first.group !== openGroup)
          return <Entry key={title} title={t(title)} path={first.path} icon={icon} className={section} />;
        return (
          <div key={title} role="group" aria-label={t(title)} className={[styles.group, section].join(' ')}>
            <span className={styles.groupTitle}>
              {icon}
              {t(title)}
            </span>
            {pages.map(({ key, path }) => (
              <Entry key={key} title={t(`pages.${key}`)} path={path} />
            ))}
          </div>
        );
      })}
      <div className={styles.spring} />
      <a className={styles.entry} href="docs">
        <IconCode size={18} stroke={1.6} aria-hidden />
        {t('shell.docs')}
      </a>
    </>
  );
}

interface EntryProps {
  title: string;
  path: string;
  icon?: React.ReactNode;
  className?: string | undefined;
}

function Entry({ title, path, icon, className = '' }: EntryProps) {
  return (
    <NavLink to={path} end={isAbove(path)} className={`${styles.entry} ${className}`}>
      {icon}
      {title}
    </NavLink>
  );
}

/** Whether another entry of the menu is below the path, because only one of them may be marked as current. */
function isAbove(path: string): boolean {
  return path === '/' || PAGES.some(page => page.inMenu && page.path.startsWith(`${path}/`));
}
