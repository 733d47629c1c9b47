// A Jest environment without its own realm: what Jest sets on `global` is added to Node's globals.
export default class NativeEnvironment {
  global = {};

  async setup() {}

  async teardown() {}

  getVmContext() {
    return null;
  }
}
