// A button that chooses files; other arguments are attributes of its input.

/**
 * `name`: its text; `pick(files)` is called with the files that were chosen; `input`: a ref of its input.
 * @param {{ name: string, pick(files: File[]): void, input?: { current: HTMLInputElement | null }, [attribute: string]: unknown }} shown
 */
export function FilePicker({ name, pick, input, ...kind }) {
  function choose({ currentTarget }) {
    const files = Array.from(currentTarget.files);
    currentTarget.value = '';
    if (files.length > 0) pick(files);
  }
  return (
    <label class="picker">
      {name}
      <input type="file" class="unseen" {...kind} onChange={choose} ref={input} />
    </label>
  );
}
