// What node.ts takes of Node.js.
declare module 'node:fs/promises' {
  export function readFile(path: URL): Promise<Uint8Array>;
}
