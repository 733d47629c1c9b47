import { Button, Kbd, Menu, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Explain } from './use-explained.ts';

interface MoreAct {
  name: 'CONSULT' | 'RELEASE' | 'CANCEL_CLAIM';
  /** Shortcut key of the action. */
  shortcut: string;
  /** Why it is disabled; null when it is allowed. */
  reason: string | null;
  act: () => void;
}

/** Actions that are rarely needed. They stay in the DOM while the menu is closed, because their shortcut keys press them. */
export function MoreActs({ acts, explain }: { acts: readonly MoreAct[]; explain: Explain }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  // Esc closes only the menu, not the call behind it.
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    setOpen(false);
  };
  return (
    <Menu width={300} position="bottom-end" withinPortal={false} keepMounted opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button size="compact-sm" variant="default" onKeyDown={closeByKey}>
          {t('actGroup.more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown onKeyDown={closeByKey}>
        {acts.map(({ name, shortcut, reason, act }) => (
          <Menu.Item
            key={name}
            aria-disabled={reason !== null}
            data-disabled={reason === null ? undefined : true}
            aria-keyshortcuts={shortcut}
            closeMenuOnClick={reason === null}
            rightSection={<Kbd size="xs">{shortcut}</Kbd>}
            onClick={() => (reason === null ? act() : explain(reason, shortcut))}
          >
            {t(`callAct.${name}`)}
            {reason !== null && (
              <Text size="xs" className="quiet">
                {reason}
              </Text>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
