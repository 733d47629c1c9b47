import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchNamedFile } from '../../api/fetch-file.ts';
import { RefusedError } from '../../api/refused-error.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves the recording of a call as a file; the server names it, and its audit log has who took it. */
export function DownloadButton({ url }: { url: string }) {
  const { t } = useTranslation();
  const [isLoading, setLoading] = useState(false);
  const [fault, setFault] = useState<Error | null>(null);

  async function download(): Promise<void> {
    setLoading(true);
    setFault(null);
    try {
      const { name, content } = await fetchNamedFile(`${url}?download=1`, new AbortController().signal);
      saveFile(name, content);
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setLoading(false);
    }
  }

  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-label={t('call.downloadFile')}
        loading={isLoading}
        onClick={() => void download()}
      >
        {t('call.download')}
      </Button>
      {fault && (
        <Text role="alert" size="sm" className="tone-failed">
          {fault instanceof RefusedError ? fault.message : t('call.unheard')}
        </Text>
      )}
    </>
  );
}
