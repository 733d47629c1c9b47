import { Kbd, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../api/me.ts';
import { PHONE_KEYS } from '../phone/phone-keys.ts';
import { usePhone } from '../phone/use-phone.ts';
import { Dialog } from '../ui/dialog.tsx';
import { GO_KEYS } from './shortcuts.ts';

/** List of the keyboard shortcuts. */
export function Keys({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const { may } = useMe();
  const { isThere: hasPhone } = usePhone();
  return (
    <Dialog isOpen close={close} title={t('keys.title')}>
      <Table aria-label={t('keys.title')}>
        <Table.Tbody>
          <Row keys={<Kbd>Ctrl K</Kbd>} action={t('keys.palette')} />
          <Row keys={<Kbd>/</Kbd>} action={t('keys.search')} />
          <Row
            keys={
              <>
                <Kbd>↑</Kbd> <Kbd>↓</Kbd> <Kbd>Enter</Kbd>
              </>
            }
            action={t('keys.rows')}
          />
          <Row keys={<Kbd>Esc</Kbd>} action={t('keys.escape')} />
          <Row keys={<Kbd>?</Kbd>} action={t('keys.keys')} />
          {hasPhone &&
            PHONE_KEYS.map(({ name, letter }) => <Row key={name} keys={<Kbd>Alt {letter}</Kbd>} action={t(`keys.phone.${name}`)} />)}
          {GO_KEYS.filter(({ needs }) => may(needs) !== false).map(({ letter, page }) => (
            <Row
              key={letter}
              keys={
                <>
                  <Kbd>g</Kbd> <Kbd>{letter}</Kbd>
                </>
              }
              action={t(`pages.${page}`)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}

function Row({ keys, action }: { keys: ReactNode; action: string }) {
  return (
    <Table.Tr>
      <Table.Td w={130}>{keys}</Table.Td>
      <Table.Td>{action}</Table.Td>
    </Table.Tr>
  );
}
