// <Sentence text="Zuko made his uncle tea" /> in React 19. The element takes tensors as properties and fires `select`.
import { loadAttention } from 'attention-wasm';
import { defineAttentionMap } from 'attention-wasm/heatmap';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
import { useEffect, useMemo, useState } from 'react';

defineAttentionMap();

export function Sentence({ text }) {
  const [api, setApi] = useState(null);
  const [cell, setCell] = useState(null);
  useEffect(() => void loadAttention().then(setApi), []);
  const picture = useMemo(() => {
    const labels = words(text);
    const x = wordVectors(labels);
    const { weights } = api?.attention(x, x, x, { scale: lexicalScale, weights: true }) ?? {};
    return { weights, rowLabels: labels, columnLabels: labels };
  }, [api, text]);
  if (!api) return null;
  return (
    <>
      <attention-map {...picture} onselect={({ detail }) => setCell(detail)} />
      <p>{cell && `${cell.rowLabel} attends to ${cell.columnLabel}: ${cell.value.toFixed(2)}`}</p>
    </>
  );
}
