import { Kbd, Modal, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { GO_KEYS } from './shortcuts.ts';

/** List of the keyboard shortcuts. */
export function Keys({ close }: { close: () => void }) {
  const { t } = useTranslation();
  return (
    // Locking the scroll position injects a style that the CSP forbids.
    <Modal opened onClose={close} title={t('keys.title')} lockScroll={false} closeButtonProps={{ 'aria-label': t('drawer.close') }}>
      <Table aria-label={t('keys.title')}>
        <Table.Tbody>
          <Row keys={<Kbd>Ctrl K</Kbd>} does={t('keys.palette')} />
          <Row keys={<Kbd>/</Kbd>} does={t('keys.search')} />
          <Row
            keys={
              <>
                <Kbd>↑</Kbd> <Kbd>↓</Kbd> <Kbd>Enter</Kbd>
              </>
            }
            does={t('keys.rows')}
          />
          <Row keys={<Kbd>Esc</Kbd>} does={t('keys.escape')} />
          <Row keys={<Kbd>?</Kbd>} does={t('keys.keys')} />
          {GO_KEYS.map(({ letter, page }) => (
            <Row
              key={letter}
              keys={
                <>
                  <Kbd>g</Kbd> <Kbd>{letter}</Kbd>
                </>
              }
              does={t(`pages.${page}`)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Row({ keys, does }: { keys: ReactNode; does: string }) {
  return (
    <Table.Tr>
      <Table.Td w={130}>{keys}</Table.Td>
      <Table.Td>{does}</Table.Td>
    </Table.Tr>
  );
}
