import { useState } from "react";
import { excerpt, hiddenWords } from "../excerpt";
import { QuietButton } from "./QuietButton";

interface ExplainedProps {
  text: string;
  /** How many lines of it are shown at first. */
  lines: number;
}

/** Explained shows what a person is told of a call that needs approval. It says how much of it is hidden, and shows it. */
export function Explained({ text, lines }: ExplainedProps) {
  const [whole, setWhole] = useState(false);
  const { shown, hidden } = excerpt(text, lines);
  return (
    <>
      <p className="whitespace-pre-line text-quiet">{whole ? text : shown}</p>
      {hidden > 0 && (
        <QuietButton className="-ml-2 text-quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show ${hiddenWords(hidden)}`}
        </QuietButton>
      )}
    </>
  );
}

/** HiddenInput says how much of the input of a call is not shown where a person approves it. The call's card has it all. */
export function HiddenInput({ hidden }: { hidden: number }) {
  return <p className="text-quiet">Its input is not shown whole here: {hiddenWords(hidden)}.</p>;
}
