// The texts to click, as index.html lists them.

const isSelf = (button) => button.closest('[data-for]').dataset.for === 'self';

/** `onExample(example)` gets { reading, context, read }; returns the examples of each mode. */
export function createExamples(element, onExample) {
  const buttons = Array.from(element.querySelectorAll('button'));
  for (const button of buttons) {
    button.addEventListener('click', () => onExample({ ...button.dataset }));
  }
  const of = (wanted) => buttons.filter(wanted).map(({ dataset }) => ({ ...dataset }));
  return { self: of(isSelf), cross: of((button) => !isSelf(button)) };
}
