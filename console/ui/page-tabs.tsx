import { Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useMe } from '../api/me.ts';
import { usePermissionMissing } from './use-disabled-reason.ts';

interface PageTab {
  key: string;
  label: string;
  content: ReactNode;
  /** Required permission; absent: any signed-in user. */
  needs?: string;
}

/**
 * Tabs of a page, kept in the URL as `tab`; the first tab has no parameter. Each tab has its own filters. A tab that the user may not see is not
 * offered; its address says which permission is missing.
 */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const { may } = useMe();
  const lacks = usePermissionMissing();
  const [query, setQuery] = useSearchParams();
  const first = tabs[0]?.key ?? '';
  const open = tabs.find(({ key }) => key === query.get('tab'))?.key ?? first;
  const isBarred = ({ needs }: PageTab) => needs !== undefined && may(needs) === false;
  return (
    <Tabs value={open} onChange={tab => setQuery(tab === null || tab === first ? {} : { tab })} keepMounted={false}>
      <Tabs.List mb="md" aria-label={label}>
        {tabs
          .filter(tab => tab.key === open || !isBarred(tab))
          .map(tab => (
            <Tabs.Tab key={tab.key} value={tab.key}>
              {tab.label}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      {tabs.map(tab => (
        <Tabs.Panel key={tab.key} value={tab.key}>
          {isBarred(tab) ? <Text>{lacks(tab.needs ?? '')}</Text> : tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
