import type { Choice } from "../question";

interface ChoicesProps {
  /** The id of the field, whose label has the same id with `-label`. */
  id: string;
  choices: Choice[];
  /** The chosen values, as a list in JSON; empty before the first was chosen. */
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
}

/** Choices is a field of which several values can be chosen. */
export function Choices({ id, choices, value, disabled, onChange, ...described }: ChoicesProps) {
  const chosen = chosenOf(value);
  const toggle = (one: string) =>
    onChange(
      JSON.stringify(choices.map((choice) => choice.value).filter((each) => chosen.includes(each) !== (each === one))),
    );
  return (
    <fieldset id={id} aria-labelledby={`${id}-label`} {...described} className="flex flex-wrap gap-x-4 gap-y-1">
      {choices.map((choice) => (
        <label key={choice.value} className="flex items-center gap-2">
          <input
            type="checkbox"
            disabled={disabled}
            checked={chosen.includes(choice.value)}
            onChange={() => toggle(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}

/** chosenOf reads a list in JSON. What a server has said first may be anything. */
function chosenOf(value: string): unknown[] {
  const list: unknown = value ? JSON.parse(value) : [];
  return Array.isArray(list) ? list : [];
}
