import { useQuery } from '@apollo/client/react';
import { currentLanguage } from '../../text/text.ts';
import { WebhooksDocument } from './webhooks.generated.ts';

/** Events in the language of the page, in the order of the catalogue. */
export function useEventNames(): { nameOf: (type: string) => string; choices: { value: string; label: string }[] } {
  const { data } = useQuery(WebhooksDocument);
  const events = data?.webhookEvents ?? [];
  const language = currentLanguage() === 'zh' ? 'zh' : 'en';
  const names = new Map(events.map(event => [event.type, event[language]]));
  return {
    nameOf: type => names.get(type) ?? type,
    choices: events.map(event => ({ value: event.type, label: event[language] })),
  };
}
