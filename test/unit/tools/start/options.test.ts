import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { parseStartOptions } from '#tools/start/options.ts';
import { choosePort } from '#tools/start/ports.ts';

describe('flags of npm start', () => {
  test('without flags it runs until Ctrl-C, resumes earlier data and draws the table', () => {
    expect(parseStartOptions([])).toEqual({ durationSeconds: null, fresh: false, monitors: 0, plain: false, help: false });
  });

  test('--monitors accepts a whole number up to 50', () => {
    expect(parseStartOptions(['--monitors', '3']).monitors).toBe(3);
    for (const text of ['51', '-1', 'three']) expect(() => parseStartOptions([`--monitors=${text}`])).toThrow('--monitors must be');
  });

  test('--duration accepts whole seconds', () => {
    expect(parseStartOptions(['--duration', '30']).durationSeconds).toBe(30);
    for (const wrong of ['0', '1.5', 'soon', '86401', '']) {
      expect(() => parseStartOptions([`--duration=${wrong}`])).toThrow(/--duration must be a whole number of seconds from 1 to 86400/);
    }
  });

  test('an unknown flag is refused with its name', () => {
    expect(() => parseStartOptions(['--monitor'])).toThrow(/--monitor/);
  });
});

describe('ports', () => {
  async function withTakenPort(work: (port: number) => Promise<void>): Promise<void> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    try {
      await work(typeof address === 'object' && address ? address.port : 0);
    } finally {
      server.close();
    }
  }

  test('a port in use is replaced by a free one, with a message', () =>
    withTakenPort(async taken => {
      const told: string[] = [];
      const port = await choosePort({ what: 'the server', host: '127.0.0.1', preferred: taken, env: {} }, line => told.push(line));
      expect(port).not.toBe(taken);
      expect(told).toEqual([`callout: port ${taken} is taken, the server is on ${port}`]);
    }));

  test('a port from the environment is never replaced', () =>
    withTakenPort(async taken => {
      const request = {
        what: 'the server',
        host: '127.0.0.1',
        preferred: 1,
        variable: 'CALLOUT_PORT',
        env: { CALLOUT_PORT: String(taken) },
      };
      await expect(choosePort(request, () => undefined)).rejects.toMatchObject({
        exitCode: 69,
        message: `callout: port ${taken} (CALLOUT_PORT) is taken: end what listens there, or choose another`,
      });
    }));
});
