// Types of the platform, or the members that are used where the compiler has neither the DOM library nor the types of a
// runtime.

/** The type of a global name, or a fallback if it is not declared. */
type Known<Name extends string, Otherwise> = typeof globalThis extends {
  [Key in Name]: { readonly prototype: infer Type };
}
  ? Type
  : Otherwise;

/** A `URL`. */
export type PlatformURL = Known<'URL', { readonly href: string; readonly protocol: string }>;

/** A `Response` of `fetch()`. */
export type PlatformResponse = Known<
  'Response',
  { readonly ok: boolean; readonly url: string; arrayBuffer(): Promise<ArrayBuffer> }
>;

/** An `AbortSignal`. */
export type PlatformAbortSignal = Known<
  'AbortSignal',
  {
    readonly aborted: boolean;
    readonly reason: unknown;
    throwIfAborted(): void;
    addEventListener(type: 'abort', listener: () => void): void;
    removeEventListener(type: 'abort', listener: () => void): void;
  }
>;

/** A `Blob`. */
export type PlatformBlob = Known<'Blob', { readonly size: number; readonly type: string }>;

/** A `<canvas>`. */
export type PlatformCanvas = Known<'HTMLCanvasElement', { width: number; height: number }>;

/** An element of a page. */
export type PlatformElement = Known<'HTMLElement', object>;

/** A `WebAssembly.Module`. */
export type CompiledModule = typeof globalThis extends {
  WebAssembly: { Module: { readonly prototype: infer Type } };
}
  ? Type
  : object;
