import { Button } from "@cloudflare/kumo/components/button";
import { type FormEvent, useId, useState } from "react";
import { type Field, type Form, fill } from "../question";
import { Choices } from "./Choices";

interface QuestionFormProps {
  form: Form;
  onAnswer: (answer: unknown) => void;
  onDeny: () => void;
}

/** QuestionForm is filled in by a person, and answered once. */
export function QuestionForm({ form, onAnswer, onDeny }: QuestionFormProps) {
  const [entered, setEntered] = useState(() => Object.fromEntries(form.fields.map(({ name, value }) => [name, value])));
  const [refused, setRefused] = useState<{ field: string; problem: string }>();
  const [answered, setAnswered] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filled = fill(form, entered);
    if ("problem" in filled) return setRefused(filled);
    setRefused(undefined);
    setAnswered(true);
    onAnswer(filled.answer);
  };
  return (
    <form noValidate={true} className="flex w-full flex-wrap items-end gap-x-3 gap-y-2" onSubmit={submit}>
      {form.fields.map((field) => (
        <FormField
          key={field.name}
          field={field}
          disabled={answered}
          value={entered[field.name] ?? ""}
          problem={refused?.field === field.name ? refused.problem : undefined}
          onChange={(value) => setEntered({ ...entered, [field.name]: value })}
        />
      ))}
      <span className="ml-auto flex gap-2">
        <Button
          size="sm"
          disabled={answered}
          onClick={() => {
            setAnswered(true);
            onDeny();
          }}
        >
          Decline
        </Button>
        <Button size="sm" type="submit" variant="primary" disabled={answered}>
          Answer
        </Button>
      </span>
    </form>
  );
}

interface FormFieldProps {
  field: Field;
  value: string;
  disabled: boolean;
  problem: string | undefined;
  onChange: (value: string) => void;
}

/** FormField is one value of a form, with its label, and with what is wrong with the value. */
function FormField({ field: { label, kind, choices, required }, value, disabled, problem, onChange }: FormFieldProps) {
  const id = useId();
  const shared = {
    id,
    disabled,
    "aria-invalid": problem !== undefined,
    "aria-describedby": problem && `${id}-problem`,
  };
  const words = label || "Answer";
  return (
    <div className={kind === "flag" ? "flex items-center gap-2" : "flex min-w-40 grow basis-48 flex-col gap-1"}>
      {kind === "flag" && (
        <input
          {...shared}
          type="checkbox"
          checked={value === "true"}
          onChange={({ target }) => onChange(String(target.checked))}
        />
      )}
      <label id={`${id}-label`} htmlFor={id} className={label ? "text-xs text-quiet" : "sr-only"}>
        {words}
        {!required && kind !== "flag" && " (optional)"}
      </label>
      {kind === "choice" && (
        <select {...shared} className="entry" value={value} onChange={({ target }) => onChange(target.value)}>
          {!choices.some((choice) => choice.value === value) && <option value="">Choose</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
      {kind === "choices" && <Choices {...shared} choices={choices} value={value} onChange={onChange} />}
      {(kind === "text" || kind === "json") && (
        <textarea
          {...shared}
          rows={1}
          className={`entry field-sizing-content max-h-40 resize-none ${kind === "json" ? "font-mono" : ""}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {(kind === "number" || kind === "integer") && (
        <input
          {...shared}
          inputMode={kind === "number" ? "decimal" : "numeric"}
          className="entry"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
