import { useQuery } from '@apollo/client/react';
import { lazy, Suspense } from 'react';
import { MyPhoneDocument } from './phone.generated.ts';

const PhoneBar = lazy(async () => ({ default: (await import('./phone-bar.tsx')).PhoneBar }));

/** The browser phone of a user whose agent has an extension; for all others nothing of the phone is loaded. */
export function OwnPhone({ userId }: { userId: string }) {
  const { data } = useQuery(MyPhoneDocument, { fetchPolicy: 'cache-first' });
  if ((data?.myAgent?.phoneExtension ?? '') === '') return null;
  return (
    <Suspense>
      <PhoneBar userId={userId} />
    </Suspense>
  );
}
