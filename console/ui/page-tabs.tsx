import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface PageTab {
  key: string;
  label: string;
  content: ReactNode;
}

/** Tabs of a page, kept in the URL as `tab`; the first tab has no parameter. Each tab has its own filters. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const [query, setQuery] = useSearchParams();
  const first = tabs[0]?.key ?? '';
  const open = tabs.find(({ key }) => key === query.get('tab'))?.key ?? first;
  return (
    <Tabs value={open} onChange={tab => setQuery(tab === null || tab === first ? {} : { tab })} keepMounted={false}>
      <Tabs.List mb="md" aria-label={label}>
        {tabs.map(tab => (
          <Tabs.Tab key={tab.key} value={tab.key}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(tab => (
        <Tabs.Panel key={tab.key} value={tab.key}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
