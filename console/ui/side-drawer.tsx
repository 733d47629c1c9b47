import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface SideDrawerProps {
  isOpen: boolean;
  close: () => void;
  title: ReactNode;
  size?: 'md' | 'lg' | 'xl';
  children: ReactNode;
}

/** One row beside its list. The page keeps the open row in its URL. */
export function SideDrawer({ isOpen, close, title, size = 'lg', children }: SideDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size={size}
      // Locking it injects a style that the CSP forbids.
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.25 }}
      title={title}
      closeButtonProps={{ 'aria-label': t('drawer.close') }}
    >
      {children}
    </Drawer>
  );
}
