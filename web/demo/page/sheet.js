// A text, written and read in one place: its words lie where its letters do. While it is written the field is
// above them, with letters that are not seen but where the words are not those of the field.

/** `root` holds a textarea and a listbox of words. */
export function createSheet(root) {
  const field = root.querySelector('textarea');
  const words = root.querySelector('[role="listbox"]');

  function edit(from = field.value.length, to = from) {
    field.focus();
    field.setSelectionRange(from, to);
  }

  /** From the letter before which a word begins to the one it ends with. */
  function edgesOf(word) {
    const before = document.createRange();
    before.setStart(words, 0);
    before.setEndBefore(word);
    const start = before.toString().length;
    return [start, start + word.textContent.length];
  }

  const isSame = () => words.textContent === field.value;
  /** Whether each letter stands where it does in the field, which shows no signs for what is invisible. */
  const isAligned = () => isSame() && !words.querySelector('.invisible');

  function editAt(word) {
    if (!isSame()) edit();
    else edit(...edgesOf(word));
  }

  words.addEventListener('click', ({ target }) => {
    if (!target.closest('[role="option"]')) edit();
  });
  words.addEventListener('dblclick', ({ target }) => {
    const word = target.closest('[role="option"]');
    if (word) editAt(word);
  });
  words.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const word = words.querySelector('[aria-selected="true"]');
    if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault();
      if (word) editAt(word);
      else edit();
    } else if (event.key.length === 1) edit(); // the letter goes where the focus is then
  });
  field.addEventListener('focus', () => {
    root.classList.add('writing');
    align();
  });
  field.addEventListener('blur', () => root.classList.remove('writing'));
  field.addEventListener('scroll', () => {
    words.scrollTop = field.scrollTop;
  });

  /** To be called when either has changed. */
  function align() {
    if (document.activeElement === field) root.classList.toggle('apart', !isAligned());
  }

  return { field, align };
}
