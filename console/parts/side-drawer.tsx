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

/** What one row is, beside the list that it stands in. The page that opens it keeps in its address which row. */
export function SideDrawer({ isOpen, close, title, size = 'lg', children }: SideDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size={size}
      // Locking it writes a style that the policy does not allow.
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.25 }}
      title={title}
      closeButtonProps={{ 'aria-label': t('drawer.close') }}
    >
      {children}
    </Drawer>
  );
}
