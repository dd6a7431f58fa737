// Array.prototype.findLastIndex(), which is newer than the oldest supported engines (Chrome 97, Firefox 104).

/**
 * The index of the last item that passes the test, or -1.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item, index: number) => boolean} passes
 */
export function lastIndex(items, passes) {
  let index = items.length - 1;
  while (index >= 0 && !passes(items[index], index)) index--;
  return index;
}
