import { Group, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../text/text.ts';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Language and colour scheme of this browser. */
export function Preferences({ isCentred = true }: { isCentred?: boolean }) {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap="sm" justify={isCentred ? 'center' : 'flex-start'}>
      <SegmentedControl
        size="xs"
        aria-label={t('preferences.language')}
        value={currentLanguage()}
        onChange={value => void chooseLanguage(value as Language)}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('preferences.scheme')}
        value={colorScheme}
        onChange={setColorScheme}
        data={SCHEMES.map(value => ({ value, label: t(`preferences.${value}`) }))}
      />
    </Group>
  );
}
