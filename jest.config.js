const tier = name => ({
  displayName: name,
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.mjs' },
});

export default {
  projects: [
    { ...tier('architecture'), testMatch: ['<rootDir>/test/architecture.test.ts'] },
    tier('unit'),
    tier('contract'),
    tier('integration'),
    tier('simulation'),
    tier('chaos'),
    tier('e2e'),
  ],
  testTimeout: 30_000,
  // One at a time: many files start servers and services of their own, and wait for them.
  maxWorkers: 1,
};
