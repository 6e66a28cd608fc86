import type { Root } from "../about";
import { product } from "../product";
import { suggestionOf } from "../suggestion";
import { StreamJoin } from "./StreamJoin";

const motto = "Many streams, one answer.";

interface WelcomeProps {
  root: Root;
  disabled: boolean;
  onPick: (text: string) => void;
}

/** Welcome is the first screen: it introduces the agent and offers some first messages. */
export function Welcome({ root: { title, description, suggestions }, disabled, onPick }: WelcomeProps) {
  return (
    <section aria-labelledby="welcome" className="my-auto py-8">
      <h1
        id="welcome"
        className="font-display text-4xl leading-tight tracking-tight text-balance wrap-anywhere sm:text-5xl"
      >
        {title === product ? motto : title}
      </h1>
      {description && <p className="mt-4 max-w-lg text-lg text-quiet wrap-anywhere">{description}</p>}
      {suggestions.length > 0 && (
        <ul className="mt-8">
          {suggestions.map((text) => (
            <Suggested key={text} text={text} disabled={disabled} onPick={onPick} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Suggested({ text, disabled, onPick }: { text: string } & Pick<WelcomeProps, "disabled" | "onPick">) {
  const { words, knobs } = suggestionOf(text);
  return (
    <li className="reach last:pb-16">
      <StreamJoin />
      <button
        type="button"
        disabled={disabled}
        className="suggestion flex w-full flex-wrap items-baseline gap-x-3 rounded-xl px-3 py-3 text-left wrap-anywhere disabled:cursor-not-allowed disabled:text-quiet"
        onClick={() => onPick(text)}
      >
        {words} {knobs && <span className="font-mono text-xs text-quiet">{knobs}</span>}
      </button>
    </li>
  );
}
