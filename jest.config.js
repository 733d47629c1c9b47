const tier = name => ({
  displayName: name,
  rootDir: import.meta.dirname,
  runtime: '<rootDir>/test/support/jest/native-runtime.mjs',
  testEnvironment: '<rootDir>/test/support/jest/native-environment.mjs',
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  transform: {},
});

export default {
  projects: [
    // `npm test`
    { ...tier('architecture'), testMatch: ['<rootDir>/test/architecture.test.ts'] },
    tier('unit'),
    tier('simulation'),
    tier('contract'),
    tier('integration'),
    tier('smoke'),
    // and with `npm run test:release`
    tier('nlu'),
    tier('seeds'),
    tier('endurance'),
    tier('chaos'),
    tier('switch'),
    tier('browser'),
    tier('e2e'),
  ],
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  reporters: ['default', '<rootDir>/test/support/watchdog-reporter.mjs'],
  // Generous: the waits inside fail first, and by name; a busy machine may stand still for seconds.
  testTimeout: 150_000,
  // One at a time: many files start servers and services of their own, and wait for them. `npm test` says where two go together.
  maxWorkers: 1,
};
