import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogProps {
  isOpen: boolean;
  close: () => void;
  title: ReactNode;
  size?: 'md' | 'lg';
  children: ReactNode;
}

/** A question over the page, such as the form of one action. What belongs to a row and stays readable beside its list is a `SideDrawer`. */
export function Dialog({ isOpen, close, title, size = 'md', children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      size={size}
      // Locking it injects a style that the CSP forbids.
      lockScroll={false}
      centered
      closeButtonProps={{ 'aria-label': t('drawer.close') }}
    >
      {children}
    </Modal>
  );
}
