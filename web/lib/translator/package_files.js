// The files that come with the package, seen from web/built, where this ends up.

export const weightsUrl = new URL('../model/english_french.safetensors', import.meta.url);
export const tokenizerUrl = new URL('../model/tokenizer.json', import.meta.url);

export async function fetchFile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} was answered with status ${response.status}`);
  return response.arrayBuffer();
}
