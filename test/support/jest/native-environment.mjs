// Jest's environment without a realm of its own: what it sets on `global` stays beside Node's globals.
export default class NativeEnvironment {
  global = {};

  async setup() {}

  async teardown() {}

  getVmContext() {
    return null;
  }
}
