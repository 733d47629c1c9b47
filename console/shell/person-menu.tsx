import { Menu, Stack } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../api/me.ts';
import { signOut } from '../api/sign-in.ts';
import { Preferences } from './preferences.tsx';

/** Menu of the user: name, preferences of this browser, and sign-out; opens when it mounts. */
export function PersonMenu({ button }: { button: ReactElement }) {
  const { t } = useTranslation();
  const { user, may } = useMe();
  return (
    <Menu position="bottom-end" width={280} defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user && `${user.username} · ${t(`roles.${user.role}`)}`}</Menu.Label>
        <Stack gap="xs" px="sm" pb="xs" fz="xs">
          <Preferences isCentred={false} />
        </Stack>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account">
          {t('shell.account')}
        </Menu.Item>
        {user && may('campaign:dispatch') && (
          <Menu.Item component={Link} to="/exports">
            {t('shell.myFiles')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => void signOut()}>{t('shell.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
