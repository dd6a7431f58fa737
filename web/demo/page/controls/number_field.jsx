// A text field for a number.

import { useInForce } from './in_force_value.js';

/**
 * `value` in force, null for an empty field; `take(value)`. An incomplete or invalid entry is replaced by the value in force.
 */
export function NumberField({ value, isOff, take, ...attributes }) {
  const inForce = value === null ? '' : String(value);
  const field = useInForce(inForce);
  function type({ currentTarget }) {
    if (currentTarget.value === '' && !currentTarget.validity.badInput) take(null);
    else if (currentTarget.validity.valid) take(currentTarget.valueAsNumber);
  }
  return (
    <input
      type="number"
      inputmode="decimal"
      {...attributes}
      disabled={isOff}
      ref={field}
      onInput={type}
      onChange={({ currentTarget }) => (currentTarget.value = inForce)}
    />
  );
}
