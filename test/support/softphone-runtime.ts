import { connectLink } from '#tools/runtime/nats-link.ts';
import { serveSoftphones } from '#tools/runtime/softphones.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { INTERNAL_TOKEN, type TestServer } from './server.ts';

/** The part of the reference runtime that handles browser phone sessions, run in the test's process. */
export interface SoftphoneRuntime {
  /** Leaves sessions unanswered until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function startSoftphoneRuntime({ nats }: TestServer): Promise<SoftphoneRuntime> {
  const link = await connectLink({ url: nats.url, name: 'test', internalToken: INTERNAL_TOKEN }, silentLog);
  let stop: () => void = () => undefined;
  const pause = () => {
    stop();
    return link.flush();
  };
  const resume = () => {
    stop = serveSoftphones({ link, clock: systemClock, speed: 100, runtimeId: 'test' });
    return link.flush();
  };
  await resume();
  return {
    pause,
    resume,
    close() {
      stop();
      return link.close();
    },
  };
}
