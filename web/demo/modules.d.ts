// What Vite adds to the page: styles, addresses of workers, and the modules that vite.config.js makes during the build.

declare module '*.css' {}

declare module '*.css?inline' {
  const text: string;
  export default text;
}

/** Address of a worker's script. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}

/** The script of the stand-alone page. */
declare module 'virtual:viewer-script' {
  const script: string;
  export default script;
}

declare module 'virtual:stand-alone-script' {
  const script: string;
  export default script;
}

/** Sources of vectors, without their code. */
declare module 'virtual:source-list' {
  const sources: import('./types').Source[];
  export default sources;
}

/** The picture that the page opens with. */
declare module 'virtual:ready-picture' {
  const packed: import('./packed_picture.js').PackedPicture;
  export default packed;
}

/** Whether the build has fused.wasm. */
declare module 'virtual:fused-kernels' {
  export const hasFused: boolean;
}

/** Reference shares of the trained model's heads, by part. */
declare module 'virtual:reference-shares' {
  const shares: import('./types').ReferenceShares;
  export default shares;
}

/** Names of the page's files, which the build writes before service_worker.js. */
declare const files: string[];

interface ImportMeta {
  readonly env: { readonly PROD: boolean };
}
