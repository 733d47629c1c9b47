import { ActionIcon, Popover } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Loaded on demand. */
const PhoneSettingsPanel = lazy(async () => ({ default: (await import('./settings-panel.tsx')).PhoneSettingsPanel }));

/** Opens devices and settings of the phone. */
export function SettingsButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover position="top-end" withArrow trapFocus width={340} opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('phone.settings')} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <IconSettings size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense>{isOpen && <PhoneSettingsPanel />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
