declare module '*.json?later' {
  const words: object;
  export default words;
}
