import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { serverUrl } from '../../api/address.ts';
import { isRefusal } from '../../api/refusal.ts';
import { LinkExportDocument } from './exports.generated.ts';

/** Fetches the file of an export: the server makes an address for it, which the browser then downloads by itself. */
export function useDownload(): { download: (id: string) => void; refused: string | null } {
  const [link] = useMutation(LinkExportDocument, { fetchPolicy: 'no-cache' });
  const [refused, setRefused] = useState<string | null>(null);

  async function take(id: string): Promise<string | null> {
    const result = (await link({ variables: { id } })).data?.result;
    if (isRefusal(result)) return result.message;
    if (result && 'url' in result) follow(serverUrl(result.url));
    return null;
  }

  return {
    download: id => void take(id).then(setRefused, (error: Error) => setRefused(error.message)),
    refused,
  };
}

function follow(url: string): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = '';
  anchor.click();
}
