// Keys and gestures, in the drawer.

const gestures = [
  ['Tap', 'another word or cell'],
  ['Tap twice', 'edit the word; enlarge the map, or show all of it'],
  ['Hold', 'menu of what can be blocked'],
  ['Pinch', 'enlarge the map'],
];
const keys = [
  ['← → ↑ ↓', 'another word or cell'],
  ['Enter', 'edit the word'],
  ['X', 'block the link, or allow it again; in Heads, switch the head off'],
  ['H', 'hide the word that is looked at, or show it again'],
  ['U', 'undo all blocks'],
  ['W', 'which head or word matters'],
  ['Space', 'stop Play, or go on; play in the lecture view'],
  ['F', 'lecture view'],
  ['Escape', 'close a menu, the tour or the lecture view'],
];

const List = ({ of }) => (
  <dl class="keys-list">
    {of.map(([key, does]) => (
      <>
        <dt>{key}</dt>
        <dd>{does}</dd>
      </>
    ))}
  </dl>
);

export const Keys = () => (
  <>
    <summary>
      <h2>Keys and gestures</h2>
    </summary>
    <div class="with-finger">
      <List of={gestures} />
      <p class="hint">With a keyboard:</p>
    </div>
    <List of={keys} />
  </>
);
