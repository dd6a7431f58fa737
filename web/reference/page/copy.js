// Copy buttons of examples and of whole files.

/** Gives every example and every figure of the page a button that copies its code, as edited. */
export function addCopyButtons() {
  document.querySelectorAll('.example, figure').forEach((block, index) => {
    const pre = block.querySelector('pre');
    const button = document.createElement('button');
    const name = block.querySelector('figcaption')?.textContent ?? `example ${index + 1}`;
    const say = (text) => {
      button.textContent = text;
      button.setAttribute('aria-label', `${text} ${name}`);
    };
    button.type = 'button';
    say('Copy');
    button.addEventListener('click', async () => {
      const code = block.querySelector('textarea')?.value ?? pre?.textContent ?? '';
      await navigator.clipboard.writeText(code).then(
        () => say('Copied'),
        () => say('Not allowed'),
      );
      setTimeout(say, 2000, 'Copy');
    });
    let actions = block.querySelector('.actions');
    if (!actions) {
      actions = document.createElement('p');
      actions.className = 'actions';
      block.append(actions);
    }
    actions.append(button);
  });
}
