import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../text/format.ts';
import type { ScriptVersionHeadFragment } from './script.generated.ts';

interface VersionSelectProps {
  label: string;
  versions: readonly ScriptVersionHeadFragment[];
  /** Whether campaigns use the script. */
  isTaken: boolean;
  value: number;
  choose: (version: string) => void;
}

export function VersionSelect({ label, versions, isTaken, value, choose }: VersionSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      w={300}
      label={label}
      allowDeselect={false}
      value={String(value)}
      onChange={version => choose(version ?? '')}
      data={versions.map(({ version, isCurrent, createdAt }) => ({
        value: String(version),
        label: [version, formatDateTime(createdAt), isCurrent && t(isTaken ? 'script.current' : 'script.currentUnused')]
          .filter(Boolean)
          .join(' · '),
      }))}
    />
  );
}
